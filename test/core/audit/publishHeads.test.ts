import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import * as MemoryDocuments from "../../../adapters/memory/MemoryDocuments.ts"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { NO_ENTRY } from "../../../core/audit/AuditEntry.ts"
import { listHeads, publishHead } from "../../../core/audit/publishHeads.ts"
import { signedTextOf } from "../../../core/audit/SignedHead.ts"
import { Documents } from "../../../core/ports/Documents.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { anAuditAct, auditor, T0 } from "../../support/records.ts"

const world = Layer.mergeAll(
  MemoryStore.layer,
  MemoryDocuments.layer,
  Layer.succeed(Vault, auditor),
)

describe("the head of the audit log", () => {
  it.effect("is signed once a day, however many processes try", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const store = yield* Store
      expect(yield* Effect.all([publishHead(), publishHead(), publishHead()])).toEqual([
        true,
        false,
        false,
      ])
      yield* store.commit({ writes: [], audit: anAuditAct() })
      expect(yield* publishHead()).toBe(false)
      yield* TestClock.adjust("1 day")
      expect(yield* publishHead()).toBe(true)
      const { data, has_more } = yield* listHeads({ limit: 20 })
      expect(has_more).toBe(false)
      expect(data.map(({ hash, sequence }) => ({ hash, sequence }))).toEqual([
        NO_ENTRY,
        yield* store.auditHead(),
      ])
      for (const head of data) {
        expect(head.public_key).toBe(auditor.signer())
        expect(auditor.isSigned(signedTextOf(head), head.signature)).toBe(true)
        const longer = { ...head, sequence: head.sequence + 1 }
        expect(auditor.isSigned(signedTextOf(longer), head.signature)).toBe(false)
      }
    }).pipe(Effect.provide(world)),
  )

  it.effect("is one where two processes sign at the same moment", () =>
    Effect.gen(function* () {
      const documents = yield* Documents
      const late: Documents["Service"] = { ...documents, get: () => Effect.succeed(undefined) }
      expect(yield* publishHead()).toBe(true)
      expect(yield* Effect.provideService(publishHead(), Documents, late)).toBe(false)
      expect((yield* listHeads({ limit: 20 })).data).toHaveLength(1)
    }).pipe(Effect.provide(world)),
  )

  it.effect("is listed from a day on, a page at a time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-30T12:00:00Z"))
      for (let n = 0; n < 4; n += 1) {
        yield* publishHead()
        yield* TestClock.adjust("1 day")
      }
      const days = (after: string, limit: number) =>
        Effect.map(listHeads({ after, limit }), ({ data, has_more }) => [
          has_more,
          ...data.map(({ at }) => at.slice(5, 10)),
        ])
      expect(yield* days("2026-03-30", 2)).toEqual([true, "03-31", "04-01"])
      expect(yield* days("2026-04-01", 2)).toEqual([false, "04-02"])
      expect(yield* days("2026-04-02", 2)).toEqual([false])
    }).pipe(Effect.provide(world)),
  )
})
