import { Effect } from "effect"
import { expect } from "../expect.ts"
import { brokenAt, chained, NO_ENTRY } from "../../../../core/audit/AuditEntry.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { anAccount, anAuditAct, anAuditNote, auditor, id } from "../records/index.ts"
import { type StoreCheck, commit, insert, together, tryCommit, upTo } from "./probe.ts"

const everything = { after: 0, limit: 1_000 }

/** Checks the operators' log, a chain that entries are only added to. */
export const auditLog = (check: StoreCheck): unknown =>
  check.group("the audit log", () => {
    check("begins with nothing", () =>
      Effect.gen(function* () {
        const port = yield* Store
        expect(yield* port.auditHead()).toStrictEqual(NO_ENTRY)
        expect(yield* port.readAudit(everything)).toStrictEqual([])
        expect(yield* port.findAuditEntry(id("aud", 1))).toBeUndefined()
        expect(yield* port.findAuditEntry("aud_'; --")).toBeUndefined()
      }),
    )

    check("gives back what was noted, each behind the one before", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const said = {
          n: 2,
          actor: "operator:jo",
          details: { text: 'é "quoted" \\ {a,b}\n', number: -7, flag: true, nothing: null },
        }
        const first = chained(anAuditNote(), NO_ENTRY, auditor)
        yield* commit({ writes: [], audit: anAuditAct() })
        const { hash: firstHash } = first
        expect(yield* port.auditHead()).toStrictEqual({ hash: firstHash, sequence: 1 })
        yield* commit({ writes: [], audit: anAuditAct(said) })
        const second = chained(anAuditNote(said), first, auditor)
        expect(yield* port.readAudit(everything)).toStrictEqual([first, second])
        expect(yield* port.readAudit({ after: 0, limit: 1 })).toStrictEqual([first])
        expect(yield* port.readAudit({ after: 1, limit: 1 })).toStrictEqual([second])
        expect(yield* port.listAudit({ after: 0, limit: 1 })).toStrictEqual([second])
        expect(yield* port.findAuditEntry(id("aud", 1))).toStrictEqual(first)
        expect(yield* port.findAuditEntry(id("aud", 2))).toStrictEqual(second)
        const { hash, sequence } = second
        expect(yield* port.auditHead()).toStrictEqual({ hash, sequence })
      }),
    )

    check("holds only what was stored with its commit", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const write = insert("account", anAccount())
        yield* commit({ writes: [write], audit: anAuditAct() })
        const again = yield* tryCommit({ writes: [write], audit: anAuditAct({ n: 2 }) })
        expect(again?.type).toBe("stale_version")
        expect((yield* port.auditHead()).sequence).toBe(1)
        yield* port.eraseAccountData(id("acct", 1))
        expect((yield* port.readAudit(everything)).map((entry) => entry.id)).toStrictEqual([
          id("aud", 1),
        ])
      }),
    )

    check("is one chain, however many act at once", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const acts = upTo(100).map((n) =>
          tryCommit({
            writes: n % 4 === 0 ? [insert("account", anAccount({ n: n % 3 }))] : [],
            audit: anAuditAct({ n }),
          }),
        )
        const refused = (yield* together(acts)).filter((reason) => reason !== undefined)
        const entries = yield* port.readAudit(everything)
        expect(entries).toHaveLength(100 - refused.length)
        expect(refused).toHaveLength(25 - 3)
        expect(brokenAt(entries, NO_ENTRY, auditor)).toBeUndefined()
        expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length)
      }),
    )

    check("is listed newest first, by what is asked", () =>
      Effect.gen(function* () {
        const port = yield* Store
        for (const n of upTo(6)) {
          const action = n % 2 === 0 ? "account.created" : "verification.opened"
          const actor = n > 3 ? "operator:jo" : "operator"
          const target = id("acct", n % 3)
          yield* commit({ writes: [], audit: anAuditAct({ n, action, actor, target }) })
        }
        const listed = (query: object) =>
          Effect.map(port.listAudit({ after: 0, limit: 9, ...query }), (entries) =>
            entries.map(({ sequence }) => sequence),
          )
        expect(yield* listed({})).toStrictEqual([6, 5, 4, 3, 2, 1])
        expect(yield* listed({ limit: 2 })).toStrictEqual([6, 5])
        expect(yield* listed({ after: 2, before: 6 })).toStrictEqual([5, 4, 3])
        expect(yield* listed({ action: "account.created" })).toStrictEqual([6, 4, 2])
        expect(yield* listed({ actor: "operator" })).toStrictEqual([3, 2, 1])
        expect(yield* listed({ target: id("acct", 0) })).toStrictEqual([6, 3])
        expect(yield* listed({ target: id("acct", 0), actor: "operator" })).toStrictEqual([3])
        expect(yield* listed({ actor: "operator'; --" })).toStrictEqual([])
      }),
    )
  })
