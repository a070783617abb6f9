-- Tags as tables of their own. ManicTime's own files carry group lists instead.

CREATE TABLE Ar_Tag (
    TagId int NOT NULL CONSTRAINT PK_Ar_Tag PRIMARY KEY,
    Name text NOT NULL
);

CREATE TABLE Ar_ActivityTag (
    ReportId int NOT NULL,
    ActivityId int NOT NULL,
    TagId int NOT NULL,
    CONSTRAINT PK_Ar_ActivityTag PRIMARY KEY (ReportId, ActivityId, TagId)
);
