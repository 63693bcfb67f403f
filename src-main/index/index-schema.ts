/** `STRI` as a big-endian number: marks the file as an index of ours (`PRAGMA application_id`). */
export const indexApplicationId = 0x53_54_52_49;

/** Raise it with every change of the tables, of the segmentation of words, or of what is put into the rows. */
export const indexSchemaVersion = 2;

/**
 * `content=''`: the words are kept, the text is not (it is in `texts`, as it was written). What a row's words are is the
 * business of `segmentWords`; the tokenizer only stems English and drops accents.
 */
const fullText = `content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'`;

export const indexTables = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- Who may see a row: few of them, many rows each. Empty: everybody of the account.
  CREATE TABLE owners (
    id INTEGER PRIMARY KEY,
    of_page INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    session_uid TEXT NOT NULL,
    visibility TEXT NOT NULL,
    labels TEXT NOT NULL,
    UNIQUE (of_page, account_id, user_id, agent_id, session_uid, visibility, labels)
  ) STRICT;

  CREATE TABLE rows (
    id INTEGER PRIMARY KEY,
    uri TEXT NOT NULL,
    source INTEGER NOT NULL,
    level INTEGER NOT NULL,
    owner_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    pinned INTEGER NOT NULL,
    title TEXT NOT NULL,
    session_uid TEXT,
    epoch INTEGER,
    sequence INTEGER,
    role TEXT,
    speaker TEXT,
    at INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    version INTEGER NOT NULL,
    -- Words, as the full-text table counts them.
    length INTEGER NOT NULL,
    text_hash TEXT NOT NULL,
    -- Which building of the index wrote it; those of an earlier one are removed when a new one is done.
    round INTEGER NOT NULL,
    -- Model that was asked for a vector; null: none yet.
    embedder TEXT,
    UNIQUE (uri, level)
  ) STRICT;
  CREATE INDEX rows_session ON rows (session_uid, sequence) WHERE session_uid IS NOT NULL;
  CREATE INDEX rows_pending ON rows (embedder, id);
  CREATE INDEX rows_round ON rows (round);
  CREATE INDEX rows_pages ON rows (uri) WHERE source = 0 AND level = 2;
  CREATE INDEX rows_pinned ON rows (at) WHERE pinned = 1 AND source = 0 AND level = 2;

  CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
  -- What the search keeps in memory: numbers of stems, and the words of each row by them (encodeWords).
  CREATE TABLE stems (id INTEGER PRIMARY KEY, stem TEXT NOT NULL) STRICT;
  CREATE TABLE words (id INTEGER PRIMARY KEY, words BLOB NOT NULL) STRICT;
  CREATE VIRTUAL TABLE page_text USING fts5(title, aliases, body, ${fullText});
  CREATE VIRTUAL TABLE turn_text USING fts5(body, ${fullText});

  -- Folded titles and aliases.
  CREATE TABLE names (name TEXT NOT NULL, uri TEXT NOT NULL, PRIMARY KEY (name, uri)) STRICT, WITHOUT ROWID;
  CREATE INDEX names_uri ON names (uri);

  -- As written: targets are JSON lists of URIs, names are folded.
  CREATE TABLE links (
    id INTEGER PRIMARY KEY,
    uri TEXT NOT NULL,
    type TEXT NOT NULL,
    origin TEXT NOT NULL,
    targets TEXT NOT NULL,
    name TEXT NOT NULL,
    incoming INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX links_uri ON links (uri);
  CREATE INDEX links_name ON links (name) WHERE name <> '';
  CREATE TABLE link_targets (target TEXT NOT NULL, link_id INTEGER NOT NULL, PRIMARY KEY (target, link_id)) STRICT, WITHOUT ROWID;
  CREATE INDEX link_targets_link ON link_targets (link_id);

  -- As int8.
  CREATE TABLE vectors (id INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT;

  CREATE TABLE marks (session_uid TEXT PRIMARY KEY, sequence INTEGER NOT NULL, checkpoints TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE uses (uri TEXT PRIMARY KEY, count INTEGER NOT NULL, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Made for each connection: views of the words, the tokenizer by itself, and who may see what (`Owners`). */
export const indexViews = `
  CREATE VIRTUAL TABLE temp.page_words USING fts5vocab(main, page_text, 'row');
  CREATE VIRTUAL TABLE temp.turn_words USING fts5vocab(main, turn_text, 'row');
  CREATE VIRTUAL TABLE temp.page_places USING fts5vocab(main, page_text, 'instance');
  CREATE VIRTUAL TABLE temp.turn_places USING fts5vocab(main, turn_text, 'instance');
  CREATE VIRTUAL TABLE temp.stemmer USING fts5(word, ${fullText});
  CREATE VIRTUAL TABLE temp.cut USING fts5vocab(temp, stemmer, 'row');
  CREATE TABLE temp.visible_owners (
    scope_id INTEGER NOT NULL, owner_id INTEGER NOT NULL, PRIMARY KEY (scope_id, owner_id)
  ) STRICT, WITHOUT ROWID;
`;

export const sources = ['page', 'turn', 'checkpoint'] as const;
