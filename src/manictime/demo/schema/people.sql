-- Users, teams and categories: tables of the server's, there but empty in a local history.

CREATE TABLE Ar_User (
    UserId int NOT NULL CONSTRAINT PK_Ar_User PRIMARY KEY,
    UserKey text NOT NULL,
    Username text NOT NULL,
    DisplayName text NULL,
    Name text NULL,
    UpdatedUtcTime datetime NOT NULL,
    Timestamp text NOT NULL,
    Other text NOT NULL
);

CREATE TABLE Ar_Team (
    TeamId int NOT NULL CONSTRAINT PK_Ar_Team PRIMARY KEY,
    Name text NOT NULL,
    UpdatedUtcTime datetime NOT NULL,
    Timestamp text NOT NULL,
    Other text NOT NULL
);

CREATE TABLE Ar_TeamMember (
    TeamId int NOT NULL,
    UserId int NOT NULL,
    DeviceDisplayName text NOT NULL,
    CONSTRAINT PK_Ar_TeamMember PRIMARY KEY (TeamId, UserId, DeviceDisplayName)
);

CREATE TABLE Ar_Category (
    CategoryId int NOT NULL CONSTRAINT PK_Ar_Category PRIMARY KEY,
    Name text NOT NULL,
    UpdatedUtcTime datetime NOT NULL,
    Timestamp text NOT NULL,
    Other text NOT NULL
);

CREATE TABLE Ar_CategoryGroup (
    CategoryGroupId text NOT NULL CONSTRAINT PK_Ar_CategoryGroup PRIMARY KEY,
    ReportGroupType int NOT NULL,
    GroupKeyHash text NOT NULL,
    SchemaName text NOT NULL,
    GroupKey text NOT NULL,
    CategoryId int NOT NULL,
    UpdatedUtcTime datetime NOT NULL,
    Timestamp text NOT NULL,
    Other text NOT NULL
);

CREATE UNIQUE INDEX UX_Ar_User ON Ar_User (UserKey);
CREATE INDEX IX_Ar_TeamMember_UserId ON Ar_TeamMember (UserId);
CREATE INDEX IX_Ar_TeamMember_DeviceDisplayName ON Ar_TeamMember (DeviceDisplayName);
CREATE UNIQUE INDEX UX_Ar_CategoryGroup ON Ar_CategoryGroup (ReportGroupType, GroupKeyHash);
CREATE INDEX IX_Ar_CategoryGroup_CategoryId ON Ar_CategoryGroup (CategoryId);
