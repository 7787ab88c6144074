import { describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { agentRecordId } from "../../../core/kyc/agents/Agent.ts"
import { verify } from "../../../core/kyc/verifications/verify.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import type { Failure } from "../../../core/shared/Failure.ts"
import { HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { T0 } from "../../support/records.ts"
import { as, buyer, codeOf, seed, stranger } from "../../support/world.ts"
import {
  AGENT,
  caller,
  codeIn,
  DATA,
  kycWorld,
  levelNow,
  makePost,
  submit,
  wrongCode,
} from "./kycWorld.ts"

const begin = Effect.gen(function* () {
  yield* seed()
  const store = yield* Store
  const id = agentRecordId(buyer.id, AGENT, (yield* Vault).sha256)
  const record = yield* store.find("agent", id)
  if (record !== undefined)
    yield* store.commit({ writes: [{ op: "remove", kind: "agent", record }] })
})

const check = (
  name: string,
  test: (post: ReturnType<typeof makePost>) => Effect.Effect<void, unknown, unknown>,
) => {
  const post = makePost()
  return it.effect(name, () =>
    Effect.andThen(begin, test(post) as Effect.Effect<void, unknown>).pipe(
      Effect.provide(kycWorld(post)),
    ),
  )
}

const answer = (verification_id: string, otp: string) => verify(caller, { verification_id, otp })

const refusal = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(self), (error) => error as Failure)

describe("an answer", () => {
  check("that is wrong says how many are left; the fifth locks the agent", (post) =>
    Effect.gen(function* () {
      const { verification_id } = yield* submit("basic")
      const code = codeIn(post, verification_id)
      for (const left of [4, 3, 2, 1]) {
        const failure = yield* refusal(answer(verification_id, wrongCode(code)))
        expect(failure).toMatchObject({
          code: "invalid_otp",
          details: { attempts_remaining: left, retry_after_seconds: 0 },
        })
      }
      const locked = { attempts_remaining: 0, retry_after_seconds: 900 }
      const last = yield* refusal(answer(verification_id, wrongCode(code)))
      expect(last).toMatchObject({ code: "invalid_otp", details: locked, retry_after: 900 })
      const right = yield* refusal(answer(verification_id, code))
      expect(right).toMatchObject({ code: "invalid_otp", details: locked })
      expect(yield* levelNow).toBe("anonymous")
    }),
  )

  check("is not looked at again by submitting again: the lock is the agent's", (post) =>
    Effect.gen(function* () {
      const first = yield* submit("basic")
      const second = yield* submit("basic")
      const code = codeIn(post, first.verification_id)
      yield* Effect.forEach([1, 2, 3, 4, 5], () =>
        Effect.exit(answer(first.verification_id, wrongCode(code))),
      )
      const other = codeIn(post, second.verification_id)
      const locked = yield* refusal(answer(second.verification_id, other))
      expect(locked).toMatchObject({ details: { retry_after_seconds: 900 } })
      expect(yield* codeOf(submit("basic"))).toBe("OTP_RATE_LIMITED")
      expect(yield* codeOf(submit("enhanced"))).toBe("succeeded")
      yield* TestClock.adjust(15 * MINUTE)
      const { verification_id } = yield* submit("basic")
      yield* answer(verification_id, codeIn(post, verification_id))
    }),
  )

  check("that a process hears whose clock is behind changes nothing before its time", (post) =>
    Effect.gen(function* () {
      const { verification_id } = yield* submit("basic")
      const times = Effect.gen(function* () {
        const found = yield* (yield* Store).find("verification", verification_id)
        return found && { earlier: found.updated_at < found.created_at, status: found.status }
      })
      const code = codeIn(post, verification_id)
      yield* TestClock.setTime(T0 - 5 * MINUTE)
      yield* refusal(answer(verification_id, wrongCode(code)))
      expect(yield* times).toStrictEqual({ earlier: false, status: "pending" })
      yield* answer(verification_id, code)
      expect(yield* times).toStrictEqual({ earlier: false, status: "verified" })
    }),
  )

  check("is taken once, within ten minutes, and from its account alone", (post) =>
    Effect.gen(function* () {
      const { verification_id } = yield* submit("basic")
      const otp = codeIn(post, verification_id)
      const theirs = verify(as(stranger), { verification_id, otp })
      expect(yield* codeOf(theirs)).toBe("NOT_FOUND")
      yield* answer(verification_id, otp)
      expect(yield* codeOf(answer(verification_id, otp))).toBe("invalid_otp")
      const late = yield* submit("basic")
      yield* TestClock.adjust(10 * MINUTE)
      const code = codeIn(post, late.verification_id)
      const failure = yield* refusal(answer(late.verification_id, code))
      expect(failure).toMatchObject({ details: { attempts_remaining: 0, retry_after_seconds: 0 } })
    }),
  )

  check("of 50 that come at once, five are looked at", (post) =>
    Effect.gen(function* () {
      const { verification_id } = yield* submit("basic")
      const code = codeIn(post, verification_id)
      const guesses = Array.from({ length: 50 }, () => answer(verification_id, wrongCode(code)))
      const exits = yield* Effect.all(guesses.map(Effect.exit), { concurrency: 50 })
      expect(exits.every(Exit.isFailure)).toBe(true)
      const stored = yield* (yield* Store).find("verification", verification_id)
      expect(stored).toMatchObject({ status: "pending", challenge: { attempts: 5 } })
      expect(yield* codeOf(answer(verification_id, code))).toBe("invalid_otp")
    }),
  )

  check("to what asks for none is refused", () =>
    Effect.gen(function* () {
      const { verification_id } = yield* submit("business")
      expect(yield* codeOf(answer(verification_id, "123456"))).toBe("INVALID_TRANSITION")
      expect(yield* codeOf(answer("kyc_nothing", "123456"))).toBe("NOT_FOUND")
      expect(yield* codeOf(answer(verification_id, "12345"))).toBe("validation_error")
      expect(yield* codeOf(verify(caller, { otp: "123456" }))).toBe("validation_error")
      expect(yield* codeOf(verify(caller, { verification_id }))).toBe("validation_error")
    }),
  )
})

describe("codes", () => {
  check("are sent five times an hour to an agent, which slides", () =>
    Effect.gen(function* () {
      const minutes = [0, 10, 20, 30, 40]
      for (const [n] of minutes.entries()) {
        yield* submit("basic", { data: { email: `a${n}@example.com`, phone: `+1415555013${n}` } })
        yield* TestClock.adjust(10 * MINUTE)
      }
      const failure = yield* refusal(submit("basic"))
      expect(failure).toMatchObject({ code: "OTP_RATE_LIMITED", retry_after: 600 })
      yield* TestClock.adjust(10 * MINUTE - 1)
      expect(yield* codeOf(submit("basic"))).toBe("OTP_RATE_LIMITED")
      yield* TestClock.adjust(1)
      yield* submit("basic")
      expect(yield* refusal(submit("basic"))).toMatchObject({ retry_after: 600 })
    }),
  )

  check("are sent five times an hour to a contact, whoever asks and however it is spelt", () =>
    Effect.gen(function* () {
      const spelt = ["ada@gmail.com", "a.da@gmail.com", "ada+1@gmail.com", "ADA@gmail.com"]
      for (const [n, email] of [...spelt, "Ada@googlemail.com"].entries()) {
        const account = n % 2 === 0 ? buyer : stranger
        const agent_id = `agent ${n}`
        yield* submit("basic", { agent_id, data: { email, phone: `+1415555014${n}` } }, account)
      }
      const again = { agent_id: "x", data: { email: "ada@gmail.com", phone: "+14155550199" } }
      expect(yield* codeOf(submit("basic", again))).toBe("OTP_RATE_LIMITED")
      expect(yield* codeOf(submit("basic", { agent_id: "x" }))).toBe("succeeded")
    }),
  )

  check("of requests that come at once, five are sent", (post) =>
    Effect.gen(function* () {
      const all = Array.from({ length: 30 }, () => Effect.exit(submit("basic")))
      const exits = yield* Effect.all(all, { concurrency: 30 })
      expect(exits.filter(Exit.isSuccess)).toHaveLength(5)
      expect(post.taken).toHaveLength(10)
    }),
  )

  check("that nobody took are made anew by the worker, and count", (post) =>
    Effect.gen(function* () {
      post.refusing = 2
      const { verification_id } = yield* submit("basic")
      expect(post.taken).toStrictEqual([])
      yield* TestClock.adjust(30 * SECOND)
      yield* runDue()
      expect(post.taken).toHaveLength(2)
      yield* TestClock.adjust(30 * SECOND)
      expect(yield* runDue()).toBe(0)
      yield* Effect.forEach([3, 4, 5], () => submit("basic"))
      expect(yield* codeOf(submit("basic"))).toBe("OTP_RATE_LIMITED")
      yield* answer(verification_id, codeIn(post, verification_id))
      expect(yield* levelNow).toBe("basic")
    }),
  )

  check("are sent when one contact takes them, and never more than five of them", (post) =>
    Effect.gen(function* () {
      post.refusing = 1
      yield* submit("basic")
      expect(post.taken.map(({ channel }) => channel)).toStrictEqual(["sms"])
      post.refusing = Infinity
      yield* submit("basic")
      const store = yield* Store
      for (let n = 0; n < 20; n += 1) {
        yield* TestClock.adjust(30 * SECOND)
        yield* runDue()
      }
      const [latest] = yield* store.list("verification", {
        by: { account_id: buyer.id },
        limit: 1,
      })
      expect(latest).toMatchObject({ status: "pending", retry_at: null, challenge: { number: 4 } })
    }),
  )

  check("leave nothing behind once they hold nobody back", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { verification_id } = yield* submit("basic")
      const stored = yield* store.find("verification", verification_id)
      const ids = stored?.status === "pending" ? (stored.challenge?.allowances ?? []) : []
      expect(ids).toHaveLength(3)
      yield* TestClock.adjust(HOUR)
      yield* runDue()
      for (const id of ids) expect(yield* store.find("otp_allowance", id)).toBeUndefined()
    }),
  )

  check("are kept as a keyed hash alone, and contacts sealed", (post) =>
    Effect.gen(function* () {
      const { verification_id } = yield* submit("basic")
      const stored = JSON.stringify(yield* (yield* Store).find("verification", verification_id))
      expect(stored).not.toContain(codeIn(post, verification_id))
      for (const value of Object.values(DATA.basic)) expect(stored).not.toContain(value)
    }),
  )
})
