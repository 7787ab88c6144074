import type { Invariant } from "../Invariant.ts"
import { purchaseOf } from "../Model.ts"
import { isTerminal } from "./lifecycle.ts"

/** What clients are told, and what is left when nothing more happens. */
export const requestInvariants: ReadonlyArray<Invariant> = [
  {
    number: 23,
    name: "The same key and body have one answer and at most one effect",
    section: "Idempotency",
    check: {
      answer: ({ account, key, request, text }, model) => {
        const told = model.answers.get(`${account} ${key}`)
        if (told === undefined || text === undefined || told.request !== request) return undefined
        return told.text === text ? undefined : `was answered in two ways under ${key}`
      },
      intent: ({ before, after }, model) => {
        const key = after.metadata?.["key"]
        if (before !== undefined || typeof key !== "string") return undefined
        const made = model.madeUnderKey.get(`${after.account_id} ${key}`) ?? 0
        return made === 0 ? undefined : `is the second payment under ${key}`
      },
    },
  },
  {
    number: 24,
    name: "Another body under a key is refused",
    section: "Idempotency",
    check: {
      answer: ({ account, key, request, text }, model) => {
        const told = model.answers.get(`${account} ${key}`)
        return told === undefined || text === undefined || told.request === request
          ? undefined
          : `was answered for another request under ${key}`
      },
    },
  },
  {
    number: 52,
    name: "At rest, every payment has ended and every channel request is resolved",
    section: "States and transitions",
    check: {
      rest: ({ intent, refunds, requests }) => {
        if (!isTerminal(intent.flow, intent.status)) return `rests as ${intent.status}`
        const pending = refunds.find(({ status }) => status === "pending")
        if (pending !== undefined) return `leaves ${pending.id} pending`
        const open = requests.find(({ status }) => status !== "done" && status !== "refused")
        return open === undefined ? undefined : `leaves a ${open.action} ${open.status}`
      },
    },
  },
  {
    number: 53,
    name: "Nothing ends in a way that nobody foresaw",
    section: "Errors",
    check: {
      ending: ({ where, flaw }) => (flaw === undefined ? undefined : `${where}: ${flaw}`),
    },
  },
  {
    number: 54,
    name: "A One-Time purchase that is pending or completed is not made again",
    section: "One-Time Pay, idempotency",
    check: {
      intent: ({ before, after, at }, model) => {
        const purchase = purchaseOf(after)
        const isOpen = after.status === "pending" || after.status === "debiting"
        if (before !== undefined || purchase === undefined || !isOpen) return undefined
        const standing = (model.purchases.get(purchase) ?? []).find((id) => {
          const record = model.intents.get(id)?.record
          return (
            record?.status === "completed" ||
            record?.status === "debiting" ||
            (record?.status === "pending" && at + model.clocksOff < record.expires_at)
          )
        })
        return standing === undefined ? undefined : `buys again what ${standing} buys`
      },
    },
  },
]
