-- The local hours that an activity touches, without seconds (newer versions).

CREATE TABLE Ar_ActivityByHour (
    ReportId int NOT NULL,
    Hour datetime NOT NULL,
    ActivityId int NOT NULL,
    CONSTRAINT PK_Ar_ActivityByHour PRIMARY KEY (ReportId, Hour, ActivityId)
);
