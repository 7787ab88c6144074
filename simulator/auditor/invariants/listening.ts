import { aboutOf } from "../../../core/webhooks/consumers/Feed.ts"
import { type Event, isDeliveryEvent } from "../../../core/webhooks/events/Event.ts"
import { HOST_CONSUMERS } from "../../ports/hosts.ts"
import { knowledge } from "../Knowledge.ts"
import type { Rule, Rulebook } from "../Observation.ts"

/** A host's consumer, with an event for it. */
interface Told {
  readonly consumer: string
  readonly event: Event
}

declare module "../Observation.ts" {
  interface Observations {
    /** From now on consumers with these names receive events. */
    readonly listening: { readonly consumers: ReadonlyArray<string> }
    /** A consumer starts to handle an event. */
    readonly told: Told
    /** A consumer has handled an event, whether the service learns of it or not. */
    readonly dealt_with: Told
  }
}

/** The stored events for consumers, and those that they have handled. */
class Hearing {
  /** The ids of events by the subject that orders them, in the order of their commits. */
  readonly #stored = new Map<string, Array<string>>()
  readonly #dealtWith = new Set<string>()
  /** Whether there is any consumer. */
  isHeard = false

  store(event: Event): void {
    if (isDeliveryEvent(event.type)) return
    const about = aboutOf(event)
    this.#stored.set(about, [...(this.#stored.get(about) ?? []), event.id])
  }

  deal({ consumer, event }: Told): void {
    this.#dealtWith.add(`${consumer} ${event.id}`)
  }

  /** Returns a subject's events that a consumer has not handled; those before one, if given. */
  left(consumer: string, about: string, before?: string): ReadonlyArray<string> {
    const all = this.#stored.get(about) ?? []
    const until = before === undefined ? all.length : Math.max(0, all.indexOf(before))
    return all
      .slice(0, until)
      .filter((id) => before === undefined || id < before)
      .filter((id) => !this.#dealtWith.has(`${consumer} ${id}`))
  }
}

/** The auditor's knowledge about hosts that listen. */
export const hearing = knowledge("listening hosts", Hearing, (known, { kind, op, record }) => {
  if (kind === "event" && op === "insert") known.store(record)
})

const inOrder: Rule<"told"> = ({ consumer, event }, model) => {
  const [missed] = model.know(hearing).left(consumer, aboutOf(event), event.id)
  return missed === undefined ? undefined : `was told to ${consumer} before ${missed}`
}

const listen: Rule<"listening"> = ({ consumers }, model) => {
  model.know(hearing).isHeard = consumers.length > 0
  return undefined
}

const deal: Rule<"dealt_with"> = (told, model) => {
  model.know(hearing).deal(told)
  return undefined
}

/** Checks at rest that consumers have handled every event, if there are any. */
const allHeard: Rule<"rest"> = ({ intent }, model) => {
  const known = model.know(hearing)
  if (!known.isHeard) return undefined
  for (const consumer of HOST_CONSUMERS) {
    const [missed] = known.left(consumer, intent.id)
    if (missed !== undefined) return `${consumer} never dealt with ${missed}`
  }
  return undefined
}

/** Checks that the events in a feed wait in the order in which they are delivered. */
const waitsInOrder: Rule<"write"> = ({ write: { kind, record } }) => {
  if (kind !== "feed") return undefined
  const ordered = [...new Set(record.waiting)].toSorted()
  return ordered.join() === record.waiting.join() ? undefined : "has events out of their order"
}

/** The rules about consumers in hosts' processes (Events). */
export const listeningRules = {
  93: { listening: listen, dealt_with: deal, rest: allHeard },
  94: { told: inOrder, write: waitsInOrder },
} satisfies Rulebook
