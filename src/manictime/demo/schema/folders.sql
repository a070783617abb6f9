-- The two halves of a documents timeline: web sites and files.

CREATE TABLE Ar_Folder (
    ReportId int NOT NULL,
    FolderId int NOT NULL,
    Key text NOT NULL,
    Name text NOT NULL,
    Color text NOT NULL,
    SourceId text NULL,
    CurrentChangeSequence int NOT NULL,
    CurrentChangeRandomValue int NOT NULL,
    Other text NULL,
    CONSTRAINT PK_Ar_Folder PRIMARY KEY (ReportId, FolderId)
);

CREATE INDEX IX_Ar_Folder_Sequence ON Ar_Folder (ReportId, CurrentChangeSequence);
