/** `STRA` as a big-endian number: marks a SQLite file as ours (`PRAGMA application_id`). */
export const applicationId = 0x53_54_52_41;
