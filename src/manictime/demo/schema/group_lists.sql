-- The tags of an activity: a list, its members in order.

CREATE TABLE Ar_GroupList (
    ReportId int NOT NULL,
    GroupListId int NOT NULL,
    ReportGroupType int NOT NULL,
    KeyHash text NOT NULL,
    Key text NOT NULL,
    Name text NOT NULL,
    Color text NULL,
    IsBillable int NULL,
    CommonId int NULL,
    SourceId text NULL,
    CurrentChangeSequence int NOT NULL,
    CurrentChangeRandomValue int NOT NULL,
    Other text NULL,
    CONSTRAINT PK_Ar_GroupList PRIMARY KEY (ReportId, GroupListId)
);

CREATE TABLE Ar_GroupListItem (
    ReportId int NOT NULL,
    GroupListId int NOT NULL,
    GroupId int NOT NULL,
    DisplayOrder int NOT NULL,
    CONSTRAINT PK_Ar_GroupListItem PRIMARY KEY (ReportId, GroupListId, GroupId)
);

CREATE INDEX IX_Ar_GroupList_KeyHash ON Ar_GroupList (ReportGroupType, KeyHash);
CREATE INDEX IX_Ar_GroupList_CommonId ON Ar_GroupList (CommonId);
CREATE INDEX IX_Ar_GroupList_Sequence ON Ar_GroupList (ReportId, CurrentChangeSequence);
CREATE INDEX IX_Ar_GroupListItem_GroupId ON Ar_GroupListItem (ReportId, GroupId);
