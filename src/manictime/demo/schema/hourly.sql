-- Seconds by local hour (ByDay), and a histogram of hour x weekday for a whole year (ByYear).

CREATE TABLE Ar_ApplicationByDay (
    ReportId int NOT NULL,
    Hour datetime NOT NULL,
    CommonId int NOT NULL,
    TotalSeconds int NOT NULL,
    CONSTRAINT PK_Ar_ApplicationByDay PRIMARY KEY (ReportId, Hour, CommonId)
);

CREATE TABLE Ar_ApplicationByYear (
    ReportId int NOT NULL,
    Hour datetime NOT NULL,
    DayOfWeek int NOT NULL,
    CommonId int NOT NULL,
    TotalSeconds int NOT NULL,
    CONSTRAINT PK_Ar_ApplicationByYear PRIMARY KEY (ReportId, Hour, DayOfWeek, CommonId)
);

CREATE TABLE Ar_WebSiteByDay (
    ReportId int NOT NULL,
    Hour datetime NOT NULL,
    CommonId int NOT NULL,
    TotalSeconds int NOT NULL,
    CONSTRAINT PK_Ar_WebSiteByDay PRIMARY KEY (ReportId, Hour, CommonId)
);

CREATE TABLE Ar_WebSiteByYear (
    ReportId int NOT NULL,
    Hour datetime NOT NULL,
    DayOfWeek int NOT NULL,
    CommonId int NOT NULL,
    TotalSeconds int NOT NULL,
    CONSTRAINT PK_Ar_WebSiteByYear PRIMARY KEY (ReportId, Hour, DayOfWeek, CommonId)
);

CREATE TABLE Ar_DocumentByDay (
    ReportId int NOT NULL,
    Hour datetime NOT NULL,
    CommonId int NOT NULL,
    TotalSeconds int NOT NULL,
    CONSTRAINT PK_Ar_DocumentByDay PRIMARY KEY (ReportId, Hour, CommonId)
);

CREATE TABLE Ar_DocumentByYear (
    ReportId int NOT NULL,
    Hour datetime NOT NULL,
    DayOfWeek int NOT NULL,
    CommonId int NOT NULL,
    TotalSeconds int NOT NULL,
    CONSTRAINT PK_Ar_DocumentByYear PRIMARY KEY (ReportId, Hour, DayOfWeek, CommonId)
);

CREATE TABLE Ar_TagListByDay (
    ReportId int NOT NULL,
    Hour datetime NOT NULL,
    CommonId int NOT NULL,
    TotalSeconds int NOT NULL,
    CONSTRAINT PK_Ar_TagListByDay PRIMARY KEY (ReportId, Hour, CommonId)
);

CREATE TABLE Ar_TagListByYear (
    ReportId int NOT NULL,
    Hour datetime NOT NULL,
    DayOfWeek int NOT NULL,
    CommonId int NOT NULL,
    TotalSeconds int NOT NULL,
    CONSTRAINT PK_Ar_TagListByYear PRIMARY KEY (ReportId, Hour, DayOfWeek, CommonId)
);

CREATE TABLE Ar_ComputerUsageByDay (
    ReportId int NOT NULL,
    Hour datetime NOT NULL,
    CommonId int NOT NULL,
    TotalSeconds int NOT NULL,
    CONSTRAINT PK_Ar_ComputerUsageByDay PRIMARY KEY (ReportId, Hour, CommonId)
);

CREATE TABLE Ar_ComputerUsageByYear (
    ReportId int NOT NULL,
    Hour datetime NOT NULL,
    DayOfWeek int NOT NULL,
    CommonId int NOT NULL,
    TotalSeconds int NOT NULL,
    CONSTRAINT PK_Ar_ComputerUsageByYear PRIMARY KEY (ReportId, Hour, DayOfWeek, CommonId)
);
