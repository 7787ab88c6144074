import { type Entries, inTransactions } from "payport/ports"
import { DatabaseSync } from "node:sqlite"

const TABLE = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS entries (name TEXT PRIMARY KEY, text TEXT NOT NULL)
  STRICT, WITHOUT ROWID`
const RANGE = "SELECT name, text FROM entries WHERE name > ? AND name < ? ORDER BY name"

/** payport's entries as rows of one table, in a SQLite file that one process opens. */
export const openEntries = (file: string): Entries => {
  const db = new DatabaseSync(file)
  db.exec(TABLE)
  const get = db.prepare("SELECT text FROM entries WHERE name = ?")
  const set = db.prepare("INSERT OR REPLACE INTO entries VALUES (?, ?)")
  const remove = db.prepare("DELETE FROM entries WHERE name = ?")
  const ascending = db.prepare(`${RANGE} LIMIT ?`)
  const descending = db.prepare(`${RANGE} DESC LIMIT ?`)
  return {
    get: (name) => get.get(name)?.["text"] as string | undefined,
    set: (name, text) => void set.run(name, text),
    delete: (name) => void remove.run(name),
    list: ({ above, below, limit, order }) => {
      const rows = (order === "ascending" ? ascending : descending).all(above, below, limit)
      return rows.map(({ name, text }) => [String(name), String(text)])
    },
    atomically: inTransactions({
      begin: () => db.exec("BEGIN IMMEDIATE"),
      commit: () => db.exec("COMMIT"),
      rollback: () => db.exec("ROLLBACK"),
    }),
    close: () => db.close(),
  }
}
