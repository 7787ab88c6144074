import type { Entries } from "payport/ports"
import { DatabaseSync } from "node:sqlite"

const TABLE = `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS entries (name TEXT PRIMARY KEY, text TEXT NOT NULL)
  STRICT, WITHOUT ROWID`

/** payport's entries as rows of one table, in a file of SQLite that one process opens. */
export const openEntries = (file: string): Entries => {
  const db = new DatabaseSync(file)
  db.exec(TABLE)
  const get = db.prepare("SELECT text FROM entries WHERE name = ?")
  const set = db.prepare("INSERT OR REPLACE INTO entries VALUES (?, ?)")
  const remove = db.prepare("DELETE FROM entries WHERE name = ?")
  const between = "SELECT name, text FROM entries WHERE name > ? AND name < ? ORDER BY name"
  const ascending = db.prepare(`${between} LIMIT ?`)
  const descending = db.prepare(`${between} DESC LIMIT ?`)
  return {
    get: (name) => get.get(name)?.["text"] as string | undefined,
    set: (name, text) => void set.run(name, text),
    delete: (name) => void remove.run(name),
    list: ({ above, below, limit, order }) =>
      (order === "ascending" ? ascending : descending)
        .all(above, below, limit)
        .map(({ name, text }) => [name as string, text as string] as const),
    atomically: (body) => {
      db.exec("BEGIN IMMEDIATE")
      try {
        const result = body()
        db.exec("COMMIT")
        return result
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK")
        throw error
      }
    },
    close: () => db.close(),
  }
}
