import { DatabaseSync } from "node:sqlite"
import { expect, test } from "vitest"
import { inTransactions } from "../../../adapters/memory/inTransactions.ts"

const opened = () => {
  const db = new DatabaseSync(":memory:")
  db.exec("CREATE TABLE entries (name TEXT PRIMARY KEY)")
  const said: Array<string> = []
  const tell = (sql: string) => () => {
    said.push(sql)
    db.exec(sql)
  }
  const told = { begin: tell("BEGIN"), commit: tell("COMMIT"), rollback: tell("ROLLBACK") }
  return {
    db,
    said,
    told,
    add: (name: string) => db.prepare("INSERT INTO entries VALUES (?)").run(name),
    count: () => db.prepare("SELECT * FROM entries").all().length,
  }
}

test("what the body has done is there when it returns", () => {
  const { add, count, said, told } = opened()
  const result = inTransactions(told)(() => {
    add("a")
    return "done"
  })
  expect([result, count(), said]).toStrictEqual(["done", 1, ["BEGIN", "COMMIT"]])
})

test("nothing of it is there when it throws, and the caller gets that", () => {
  const { add, count, said, told } = opened()
  const failing = () =>
    inTransactions(told)(() => {
      add("a")
      throw new Error("of the body")
    })
  expect(failing).toThrow("of the body")
  expect([count(), said]).toStrictEqual([0, ["BEGIN", "ROLLBACK"]])
})

test("nothing of it is there when it cannot be committed", () => {
  const { add, count, told } = opened()
  const commit = () => {
    throw new Error("the disk is full")
  }
  expect(() => inTransactions({ ...told, commit })(() => add("a"))).toThrow("the disk is full")
  expect(count()).toBe(0)
})

test("a database that has rolled back by itself does not hide why", () => {
  const { add, count, db, told } = opened()
  const commit = () => {
    db.exec("ROLLBACK")
    throw new Error("the disk is full")
  }
  expect(() => inTransactions({ ...told, commit })(() => add("a"))).toThrow("the disk is full")
  expect(count()).toBe(0)
})

test("nothing is rolled back that was not begun", () => {
  const { said, told } = opened()
  const begin = () => {
    throw new Error("the database is locked")
  }
  expect(() => inTransactions({ ...told, begin })(() => 1)).toThrow("the database is locked")
  expect(said).toStrictEqual([])
})
