-- First and last activity of each timeline (newer versions).

CREATE TABLE Ar_TimelineSummary (
    ReportId int NOT NULL CONSTRAINT PK_Ar_TimelineSummary PRIMARY KEY,
    StartActivityId int NULL,
    StartLocalTime datetime NULL,
    StartUtcTime datetime NULL,
    EndActivityId int NULL,
    EndLocalTime datetime NULL,
    EndUtcTime datetime NULL,
    ActiveStartActivityId int NULL,
    ActiveStartLocalTime datetime NULL,
    ActiveStartUtcTime datetime NULL,
    ActiveEndActivityId int NULL,
    ActiveEndLocalTime datetime NULL,
    ActiveEndUtcTime datetime NULL
);
