import type { Answered, Meddle, Pass, Passing } from "../../simulate/flawedProxy.ts"
import { fieldsOf } from "./subject.ts"
import { asks, type Mutant, REGISTER } from "./bugs.ts"

const typeOf = ({ body }: Passing): unknown => fieldsOf(body)["type"]

const delivers = (hooks: Meddle) => () => ({ hooks })

/** Each delivery at a place, from 0. */
const counting = (bug: (n: number, passing: Passing, pass: Pass) => Promise<Answered>) => () => {
  const counts = new Map<string, number>()
  const hooks: Meddle = (passing, pass) => {
    const event = String(passing.headers["idempotency-key"]).replace(/-retry-.*/, "")
    const name = `${passing.path} ${event}`
    const n = counts.get(name) ?? 0
    counts.set(name, n + 1)
    return bug(n, passing, pass)
  }
  return { hooks }
}

const UNHEARD: Answered = { status: 500, headers: {}, text: "" }

/** The bugs of webhooks. */
export const WEBHOOKS: ReadonlyArray<Mutant> = [
  {
    name: "signs with another secret",
    parts: delivers((passing, pass) => {
      const signature = String(passing.headers["webhook-signature"])
      const forged = signature.replaceAll(/v1=[0-9a-f]{4}/g, "v1=0000")
      return pass({ ...passing, headers: { ...passing.headers, "webhook-signature": forged } })
    }),
    named: ["hook-success"],
  },
  {
    name: "changes what it tells after it was signed",
    parts: delivers((passing, pass) =>
      pass({ ...passing, body: passing.body.replace('"value":124', '"value":125') }),
    ),
    named: ["hook-success"],
  },
  {
    name: "tells nothing of what has failed",
    parts: delivers((passing, pass) =>
      typeOf(passing) === "payment_intent.failed"
        ? Promise.resolve({ status: 204, headers: {}, text: "" })
        : pass(passing),
    ),
    named: ["hook-ends"],
  },
  {
    name: "tells of an expiry minutes late",
    parts: counting((n, passing, pass) =>
      typeOf(passing) === "payment_intent.expired" && n < 3
        ? Promise.resolve(UNHEARD)
        : pass(passing),
    ),
    named: ["hook-expired"],
  },
  {
    name: "tells everything twice",
    parts: delivers(async (passing, pass) => {
      await pass(passing)
      return pass(passing)
    }),
    named: ["hook-once"],
  },
  {
    name: "gives all deliveries one key",
    parts: delivers((passing, pass) =>
      pass({ ...passing, headers: { ...passing.headers, "idempotency-key": "wh_evt_1-retry-0" } }),
    ),
    named: ["hook-ids"],
  },
  {
    name: "tells an endpoint of everything",
    parts: asks(REGISTER, (fields) => ({ ...fields, enabled_events: ["*"] })),
    named: ["hook-chosen"],
  },
  {
    name: "does not encrypt",
    parts: asks(REGISTER, ({ encryption: _, ...fields }) => fields),
    named: ["hook-sealed"],
  },
  {
    name: "never tries again",
    parts: delivers(async (passing, pass) => {
      await pass(passing)
      return { status: 204, headers: {}, text: "" }
    }),
    named: ["retry-schedule", "retry-401"],
  },
  {
    name: "leaves its third attempt out",
    parts: counting((n, passing, pass) => (n === 2 ? Promise.resolve(UNHEARD) : pass(passing))),
    named: ["retry-schedule"],
  },
  {
    name: "tries again at once",
    parts: delivers(async (passing, pass) => {
      const answer = await pass(passing)
      return answer.status === 500 ? pass(passing) : answer
    }),
    named: ["retry-schedule"],
  },
  {
    name: "takes 401 for a refusal",
    parts: delivers(async (passing, pass) => {
      const answer = await pass(passing)
      return answer.status === 401 ? { ...answer, status: 404 } : answer
    }),
    named: ["retry-401"],
  },
  {
    name: "goes on after a refusal",
    parts: delivers(async (passing, pass) => {
      const answer = await pass(passing)
      return answer.status === 404 ? UNHEARD : answer
    }),
    named: ["retry-dropped"],
  },
]
