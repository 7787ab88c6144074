import { it } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { expect } from "vitest"
import { hasRoom } from "../../../adapters/postgres/diskRoom.ts"
import { databaseError } from "../../../adapters/postgres/failures.ts"
import type { Query } from "../../../adapters/postgres/sessions/connectWith.ts"
import { session, testDatabase } from "../../support/postgres.ts"

const FULL = "DO $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$"

it.live(
  "a disk has room for a sort that goes to files, unless the server says that it is full",
  () =>
    Effect.gen(function* () {
      const admin = yield* session(yield* testDatabase)
      const told: Array<string | undefined> = []
      const note = (error: SqlError) => Effect.sync(() => told.push(databaseError(error).code))
      const query: Query = (sql, ...rest) => Effect.tapError(admin.query(sql, ...rest), note)
      expect(yield* hasRoom({ query })).toBe(true)
      expect(told).toEqual([])
      yield* admin.query("SET temp_file_limit = '12MB'")
      expect(yield* hasRoom({ query })).toBe(true)
      expect(told).toEqual(["53400"])
      const onFullDisk: Query = (sql, ...rest) => query(sql.includes("ORDER") ? FULL : sql, ...rest)
      expect(yield* hasRoom({ query: onFullDisk })).toBe(false)
      expect(told).toEqual(["53400", "53100"])
      const { rows } = yield* admin.query("SELECT current_setting('work_mem') AS memory")
      expect(rows).not.toEqual([{ memory: "64kB" }])
    }).pipe(Effect.scoped),
)
