-- No work goes on any more.
DELETE FROM running
