-- One row for what several timelines call by the same key.

CREATE TABLE Ar_CommonGroup (
    CommonId int NOT NULL CONSTRAINT PK_Ar_CommonGroup PRIMARY KEY,
    ReportGroupType int NOT NULL,
    KeyHash text NOT NULL,
    GroupType text NULL,
    Key text NOT NULL,
    Name text NOT NULL,
    Color text NOT NULL,
    Icon16 blob NULL,
    Icon32 blob NULL,
    IsBillable int NULL,
    UpperKey text NULL
);

CREATE TABLE Ar_CommonGroupList (
    CommonId int NOT NULL CONSTRAINT PK_Ar_CommonGroupList PRIMARY KEY,
    ReportGroupType int NOT NULL,
    KeyHash text NOT NULL,
    Key text NOT NULL,
    Name text NOT NULL,
    Color text NULL,
    IsBillable int NULL,
    UpperKey text NULL
);

CREATE UNIQUE INDEX UX_Ar_CommonGroup ON Ar_CommonGroup (ReportGroupType, KeyHash);
CREATE UNIQUE INDEX UX_Ar_CommonGroupList ON Ar_CommonGroupList (ReportGroupType, KeyHash);
CREATE INDEX IX_Ar_CommonGroup_UpperKey ON Ar_CommonGroup (ReportGroupType, UpperKey);
CREATE INDEX IX_Ar_CommonGroupList_UpperKey ON Ar_CommonGroupList (ReportGroupType, UpperKey);
