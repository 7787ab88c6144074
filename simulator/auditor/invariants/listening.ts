import { aboutOf } from "../../../core/webhooks/consumers/Feed.ts"
import { type Event, isDeliveryEvent } from "../../../core/webhooks/events/Event.ts"
import { HOST_CONSUMERS } from "../../ports/hosts.ts"
import { knowledge } from "../Knowledge.ts"
import type { Rule, Rulebook } from "../Observation.ts"

/** A host's consumer, with the event that it is told of. */
interface Told {
  readonly consumer: string
  readonly event: Event
}

declare module "../Observation.ts" {
  interface Observations {
    /** From now on consumers of these names are told. */
    readonly listening: { readonly consumers: ReadonlyArray<string> }
    /** A consumer begins with an event. */
    readonly told: Told
    /** It has done what it does with it, whether the service hears of that or not. */
    readonly dealt_with: Told
  }
}

/** What was stored to be told, and what consumers have dealt with. */
class Hearing {
  /** The ids of events by what they are told in order with, in the order of their commits. */
  readonly #stored = new Map<string, Array<string>>()
  readonly #dealtWith = new Set<string>()
  /** Whether anybody listens. */
  isHeard = false

  store(event: Event): void {
    if (isDeliveryEvent(event.type)) return
    const about = aboutOf(event)
    this.#stored.set(about, [...(this.#stored.get(about) ?? []), event.id])
  }

  deal({ consumer, event }: Told): void {
    this.#dealtWith.add(`${consumer} ${event.id}`)
  }

  /** The events about that which a consumer has not dealt with; those before an event, if given. */
  left(consumer: string, about: string, before?: string): ReadonlyArray<string> {
    const all = this.#stored.get(about) ?? []
    const until = before === undefined ? all.length : Math.max(0, all.indexOf(before))
    return all
      .slice(0, until)
      .filter((id) => before === undefined || id < before)
      .filter((id) => !this.#dealtWith.has(`${consumer} ${id}`))
  }
}

/** What the auditor keeps in mind of hosts that listen. */
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

/** Where hosts listen, at rest. */
const allHeard: Rule<"rest"> = ({ intent }, model) => {
  const known = model.know(hearing)
  if (!known.isHeard) return undefined
  for (const consumer of HOST_CONSUMERS) {
    const [missed] = known.left(consumer, intent.id)
    if (missed !== undefined) return `${consumer} never dealt with ${missed}`
  }
  return undefined
}

/** One after the other: what waits in a feed has the order in which it is told. */
const waitsInOrder: Rule<"write"> = ({ write: { kind, record } }) => {
  if (kind !== "feed") return undefined
  const ordered = [...new Set(record.waiting)].toSorted()
  return ordered.join() === record.waiting.join() ? undefined : "has events out of their order"
}

/** What consumers in hosts' processes are promised (Events). */
export const listeningRules = {
  93: { listening: listen, dealt_with: deal, rest: allHeard },
  94: { told: inOrder, write: waitsInOrder },
} satisfies Rulebook
