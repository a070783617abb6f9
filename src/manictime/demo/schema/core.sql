-- The three tables that every history has. No timestamp column carries a zone: local and UTC stand side by side.

CREATE TABLE Ar_Timeline (
    ReportId int NOT NULL CONSTRAINT PK_Ar_Timeline PRIMARY KEY,
    TimelineKey text NOT NULL,
    PublishKey text NOT NULL,
    Name text NULL,
    SchemaName text NOT NULL,
    SchemaVersion text NOT NULL,
    BaseSchemaName text NOT NULL,
    BaseSchemaVersion text NOT NULL,
    OwnerId int NOT NULL,
    EnvironmentId text NOT NULL,
    Other text NULL
);

CREATE TABLE Ar_Group (
    ReportId int NOT NULL,
    GroupId int NOT NULL,
    ReportGroupType int NOT NULL,
    KeyHash text NOT NULL,
    Key text NOT NULL,
    Name text NOT NULL,
    Color text NOT NULL,
    SkipColor int NOT NULL,
    Icon16 blob NULL,
    Icon32 blob NULL,
    FolderId int NULL,
    GroupType text NULL,
    IsBillable int NULL,
    CommonId int NULL,
    SourceId text NULL,
    CurrentChangeSequence int NOT NULL,
    CurrentChangeRandomValue int NOT NULL,
    Other text NULL,
    CONSTRAINT PK_Ar_Group PRIMARY KEY (ReportId, GroupId)
);

CREATE TABLE Ar_Activity (
    ReportId int NOT NULL,
    ActivityId int NOT NULL,
    Name text NOT NULL,
    GroupId int NULL,
    CommonGroupId int NULL,
    GroupListId int NULL,
    CommonGroupListId int NULL,
    IsActive int NULL,
    IsBillable int NULL,
    StartLocalTime datetime NOT NULL,
    StartUtcTime datetime NOT NULL,
    EndLocalTime datetime NOT NULL,
    EndUtcTime datetime NOT NULL,
    Notes text NULL,
    RelatedActivityId int NULL,
    SourceId text NULL,
    CurrentChangeSequence int NOT NULL,
    CurrentChangeRandomValue int NOT NULL,
    Other text NULL,
    CONSTRAINT PK_Ar_Activity PRIMARY KEY (ReportId, ActivityId)
);

CREATE INDEX IX_Ar_Timeline_OwnerId ON Ar_Timeline (OwnerId);
CREATE INDEX IX_Ar_Timeline_EnvironmentId ON Ar_Timeline (EnvironmentId);
CREATE INDEX IX_Ar_Group_KeyHash ON Ar_Group (ReportGroupType, KeyHash);
CREATE INDEX IX_Ar_Group_FolderId ON Ar_Group (ReportId, FolderId);
CREATE INDEX IX_Ar_Group_CommonId ON Ar_Group (CommonId);
CREATE INDEX IX_Ar_Group_Sequence ON Ar_Group (ReportId, CurrentChangeSequence);
CREATE INDEX IX_Ar_Activity_GroupId ON Ar_Activity (ReportId, GroupId);
CREATE INDEX IX_Ar_Activity_CommonGroupId ON Ar_Activity (ReportId, CommonGroupId);
CREATE INDEX IX_Ar_Activity_GroupListId ON Ar_Activity (ReportId, GroupListId);
CREATE INDEX IX_Ar_Activity_CommonGroupListId ON Ar_Activity (ReportId, CommonGroupListId);
CREATE INDEX IX_Ar_Activity_LocalTime ON Ar_Activity (ReportId, StartLocalTime, EndLocalTime);
CREATE INDEX IX_Ar_Activity_EndLocalTime ON Ar_Activity (ReportId, EndLocalTime);
CREATE INDEX IX_Ar_Activity_RelatedActivityId ON Ar_Activity (ReportId, RelatedActivityId);
CREATE INDEX IX_Ar_Activity_Sequence ON Ar_Activity (ReportId, CurrentChangeSequence);
