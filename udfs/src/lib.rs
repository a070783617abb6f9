//! Interval, segmentation and attribution functions for Apache DataFusion.
