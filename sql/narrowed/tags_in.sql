-- A row is a tagged stretch of time that fits: `$tag`, `$project` and `$text` are each a part of the full list, `$text` also
-- of its note, whatever the case, or null. A tag is no application, site or document: none fits where one is looked for. It
-- stands in the place of `tags_in`, which is `whole_tags_in` here.
SELECT tag, color, path, is_billable, notes, start_local, start_utc, end_local, end_utc, seconds
FROM whole_tags_in($start, $end)
WHERE $application IS NULL
    AND $site IS NULL
    AND $document IS NULL
    AND ($tag IS NULL OR contains(lower(tag), lower($tag)))
    AND ($project IS NULL OR contains(lower(tag), lower($project)))
    AND ($text IS NULL OR contains(lower(concat_ws(chr(10), tag, notes)), lower($text)))
