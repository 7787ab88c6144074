import { post } from "./basis.ts"
import type { Reply, Service } from "./Service.ts"
import { type Clause, want } from "./verdicts.ts"
import { Payment, read } from "./Wire.ts"

const CLAUSE = "Request Payment: a retry with the same key returns the original result"
const COPIES = 6
const IN_PROGRESS = "IDEMPOTENCY_KEY_IN_PROGRESS"

const create = (service: Service, body: object, key: string, who = service.buyer) =>
  service.ask(post(who, "/v1/payment-intents", body, key))

const idOf = ({ json }: Reply): string | undefined => {
  const payment = read(Payment, json)
  return "found" in payment ? payment.found.id : undefined
}

/** Checks that a request has one response, however often it is sent. */
export const IDEMPOTENCY: ReadonlyArray<Clause> = [
  {
    id: "same-key",
    title: "answers a repeated key as the first time",
    clause: CLAUSE,
    needs: ["creates"],
    hold: async (service) => {
      const [body, key] = [await service.wish(), service.chance.uuid()]
      const first = await create(service, body, key)
      const again = await create(service, body, key)
      const right = first.status === 201 && again.status === 201 && first.text === again.text
      want(right, first.said, again.said, "Keep the answer under its key, and give it again.")
    },
  },
  {
    id: "key-other-body",
    title: "refuses a key with another body",
    clause: "Errors: IDEMPOTENCY_KEY_USED, 409",
    needs: ["creates"],
    hold: async (service) => {
      const key = service.chance.uuid()
      await create(service, await service.wish(120), key)
      const other = await create(service, await service.wish(121), key)
      const right = other.status === 409 || other.status === 422
      const advice = "Keep what was asked with the answer, and compare it."
      want(right, "status 409, IDEMPOTENCY_KEY_USED", other.said, advice)
    },
  },
  {
    id: "key-copies",
    title: `makes one payment for ${COPIES} copies of a request that come at once`,
    clause: CLAUSE,
    needs: ["same-key"],
    hold: async (service) => {
      const [body, key] = [await service.wish(), service.chance.uuid()]
      const copies = Array.from({ length: COPIES }, () => create(service, body, key))
      const replies = await Promise.all(copies)
      const last = await create(service, body, key)
      const made = new Set([...replies, last].flatMap((reply) => idOf(reply) ?? []))
      const advice = "Take the key in one step that only one can win."
      want(made.size === 1, "one payment", `${made.size} payments`, advice)
      const odd = replies.find((reply) => reply.status !== 201 && reply.code !== IN_PROGRESS)
      want(
        odd === undefined || odd.status === 409,
        "201, or 409 meanwhile",
        odd?.said ?? "",
        advice,
      )
    },
  },
  {
    id: "keys-apart",
    title: "keeps the keys of accounts apart",
    clause: "Authentication: keys are issued to sellers and to buyer agents",
    needs: ["same-key"],
    hold: async (service) => {
      const [body, key] = [await service.wish(), service.chance.uuid()]
      const mine = await create(service, body, key)
      const theirs = await create(service, body, key, service.other ?? service.seller)
      const seen = `${idOf(mine)} for both`
      const advice = "A key belongs to the account that sent it."
      want(
        idOf(theirs) !== idOf(mine) && theirs.status !== 409,
        "an answer of its own",
        seen,
        advice,
      )
    },
  },
  {
    id: "capture-again",
    title: "answers a repeated capture as the first time",
    clause: "POST /v1/payment-intents/{id}/capture: repeating the call returns the same result",
    needs: ["path"],
    hold: async (service) => {
      const { id } = await service.authorized()
      const key = service.chance.uuid()
      const first = await service.act(service.seller, id, "capture", key)
      const again = await service.act(service.seller, id, "capture", key)
      want(again.status === 200, "status 200", again.said, "Keep the answer under its key.")
      want(first.text === again.text, first.said, again.said, "Keep the answer under its key.")
      const bare = await service.act(service.seller, id, "capture")
      const advice = "A payment that is captured answers its capture, whatever key it comes with."
      want(bare.status === 200, "status 200", bare.said, advice)
    },
  },
]
