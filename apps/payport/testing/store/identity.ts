import { Effect } from "effect"
import { expect } from "../expect.ts"
import { type ListQuery, Store } from "../../../../core/ports/Store.ts"
import { anAgent, anAllowance, anAppeal, id, T0, verificationIn } from "../records/index.ts"
import { type StoreCheck, insert, store } from "./probe.ts"

const verifications = [
  verificationIn("pending", { n: 1, retry_at: null, challenge: null }),
  verificationIn("pending", { n: 2, level: "basic", due_at: T0 + 5 }),
  verificationIn("verified", { n: 3, confirmed_channels: ["wallet_a", "wallet_b"] }),
  verificationIn("verified", { n: 4, expires_at: null, sealed: null }),
  verificationIn("rejected", { n: 5, appeal_id: id("appl", 1), agent: id("agt", 2) }),
  verificationIn("expired", { n: 6, account_id: id("acct", 2), agent: id("agt", 2) }),
]

/** Checks the records of verifications, appeals and sent codes. */
export const identityReads = (check: StoreCheck): unknown =>
  check.group("identities", () => {
    check("are given back as they were stored, in every state", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...verifications.map((record) => insert("verification", record)))
        for (const record of verifications) {
          expect(yield* port.find("verification", record.id)).toStrictEqual(record)
        }
        expect(yield* port.find("verification", id("kyc", 99))).toBeUndefined()
      }),
    )

    check("are listed newest first, by agent and by account", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...verifications.map((record) => insert("verification", record)))
        const listed = (query: ListQuery<"verification">) =>
          Effect.map(port.list("verification", query), (found) => found.map((record) => record.id))
        const of = (...numbers: ReadonlyArray<number>) => numbers.map((n) => id("kyc", n))
        expect(yield* listed({ by: { agent: id("agt", 1) }, limit: 9 })).toStrictEqual(
          of(4, 3, 2, 1),
        )
        expect(yield* listed({ by: { agent: id("agt", 2) }, limit: 1 })).toStrictEqual(of(6))
        expect(yield* listed({ by: { account_id: id("acct", 1) }, limit: 1 })).toStrictEqual(of(5))
        expect(yield* listed({ by: { account_id: "acct_'; --" }, limit: 9 })).toStrictEqual([])
      }),
    )

    check("with what stands beside them: agents, appeals and allowances", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const agent = anAgent({
          verified: [
            {
              verification_id: id("kyc", 3),
              level: "enhanced",
              expires_at: T0 + 9,
              channels: ["wallet_a"],
            },
          ],
        })
        const appeals = [
          anAppeal(),
          anAppeal({ n: 2, status: "upheld", resolved_at: T0 + 1 }),
          anAppeal({ n: 3, status: "overturned", resolved_at: T0 + 1 }),
        ]
        const allowances = [
          anAllowance({ sent: [T0, T0 + 1, T0 + 2], locked_until: T0 + 3 }),
          anAllowance({ n: 2, sent: [], due_at: null }),
        ]
        yield* store(
          insert("agent", agent),
          ...appeals.map((appeal) => insert("appeal", appeal)),
          ...allowances.map((allowance) => insert("otp_allowance", allowance)),
        )
        expect(yield* port.find("agent", agent.id)).toStrictEqual(agent)
        for (const appeal of appeals) {
          expect(yield* port.find("appeal", appeal.id)).toStrictEqual(appeal)
        }
        for (const allowance of allowances) {
          expect(yield* port.find("otp_allowance", allowance.id)).toStrictEqual(allowance)
        }
        expect(yield* port.find("appeal", "appl_")).toBeUndefined()
        expect(yield* port.find("otp_allowance", "otpa_'; --")).toBeUndefined()
      }),
    )

    check("of an erased account are gone, but for the codes that were sent", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(
          insert("verification", verificationIn("verified")),
          insert("appeal", anAppeal()),
          insert("otp_allowance", anAllowance()),
        )
        yield* port.eraseAccountData(id("acct", 1))
        expect(yield* port.find("verification", id("kyc", 1))).toBeUndefined()
        expect(yield* port.find("appeal", id("appl", 1))).toBeUndefined()
        expect(yield* port.find("otp_allowance", id("otpa", 1))).toStrictEqual(anAllowance())
      }),
    )
  })
