import { Effect, Result } from "effect"
import { Conflict, KINDS, type Kind, type Records, Store } from "../../core/ports/Store.ts"
import { Vault } from "../../core/ports/Vault.ts"
import {
  finishFlaw,
  type KeyRing,
  mastersOf,
  newRing,
  onlyBy,
  ringFlaw,
  ROOT,
  sealingFlaw,
  sealingKey,
  withNewKey,
  withoutUnused,
  wrappedAlso,
  type Wrapping,
} from "../../core/secrets/KeyRing.ts"
import { resealRecords } from "../../core/secrets/resealRecords.ts"
import { type SealedFields, sealedIn } from "../../core/secrets/SealedText.ts"
import { DAY } from "../../core/shared/Timestamp.ts"
import { keptSecretRules, type RingModel } from "../auditor/invariants/keptSecrets.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"

/** How long stored replies may need a key, at most thirty days, and a day for clocks. */
const NEEDED_FOR = 31 * DAY

const wrapping = (key: string, master: string): Wrapping => ({
  master,
  text: `${key} by ${master}`,
})

/** Returns a ring as the auditor compares it. */
const plain = ({ keys, root }: KeyRing): RingModel => ({
  root: root.map(({ master }) => master),
  keys: keys.map(({ id, retired_at, wrapped }) => ({
    id,
    retired_at,
    masters: wrapped.map(({ master }) => master),
  })),
})

const opens = ({ keys, root }: RingModel, master: string): boolean =>
  root.includes(master) && keys.every(({ masters }) => masters.includes(master))

/** Turns a ring of keys as operators do, and keeps a second one in step with it. */
class Keeper {
  readonly #scene: Scene
  readonly #chance: Chance
  #ring: KeyRing
  #model: RingModel
  #masters: ReadonlyArray<string> = ["m0"]
  #made = 0
  #now = 1_000

  constructor(scene: Scene, chance: Chance) {
    this.#scene = scene
    this.#chance = chance
    const first = { id: "key0", created_at: 0, wrapped: [wrapping("key0", "m0")] }
    this.#ring = newRing("live", wrapping(ROOT, "m0"), first)
    this.#model = { root: ["m0"], keys: [{ id: "key0", retired_at: null, masters: ["m0"] }] }
    this.#show("its making")
  }

  #anyMaster(): string {
    const [first = "m0", ...others] = this.#masters
    return this.#chance.pick([first, ...others, "m stranger"])
  }

  /** Wraps some of the keys, or all of them, by another master key. */
  wrap(): void {
    const master = this.#chance.hits(0.7) ? `m${(this.#made += 1)}` : this.#anyMaster()
    this.#masters = [...new Set([...this.#masters, master])]
    const names = [ROOT, ...this.#model.keys.map(({ id }) => id)]
    const some = new Set(names.filter(() => this.#chance.hits(0.85)))
    const also = (id: string, masters: ReadonlyArray<string>) =>
      some.has(id) && !masters.includes(master) ? [...masters, master] : masters
    this.#model = {
      root: also(ROOT, this.#model.root),
      keys: this.#model.keys.map((key) => ({ ...key, masters: also(key.id, key.masters) })),
    }
    const wrappings = new Map([...some].map((id) => [id, wrapping(id, master)]))
    this.#ring = wrappedAlso(this.#ring, wrappings)
    this.#show(`wrapping by ${master}`)
  }

  add(): void {
    const id = `key${(this.#made += 1)}`
    const [first = "m0", ...others] = this.#masters
    const masters = this.#chance.hits(0.6) ? [first, ...others] : [first]
    const keys = this.#model.keys.map((key) => ({
      ...key,
      retired_at: key.retired_at ?? this.#now,
    }))
    this.#model = { ...this.#model, keys: [...keys, { id, retired_at: null, masters }] }
    const wrapped = masters.map((master) => wrapping(id, master))
    this.#ring = withNewKey(this.#ring, { id, created_at: this.#now, wrapped }, this.#now)
    this.#show(`adding ${id}`)
  }

  finish(): void {
    const master = this.#anyMaster()
    const only = onlyBy(this.#ring, master)
    const may = opens(this.#model, master)
    if (Result.isSuccess(only)) this.#ring = only.success
    if (may) {
      this.#model = {
        root: [master],
        keys: this.#model.keys.map((key) => ({ ...key, masters: [master] })),
      }
      this.#masters = [master]
    }
    this.#show(`leaving only ${master}`)
  }

  /** Removes what is no longer needed, at about the time when the first key is not. */
  prune(): void {
    const ended = this.#model.keys.flatMap(({ retired_at }) => retired_at ?? [])
    const [first = this.#now, ...others] = ended
    const at = this.#chance.pick([first, ...others]) + NEEDED_FOR + this.#chance.int(-1, 1)
    this.#now = Math.max(this.#now, at)
    const named = new Set(this.#model.keys.filter(() => this.#chance.hits(0.3)).map(({ id }) => id))
    const keys = this.#model.keys.filter(
      ({ id, retired_at }) =>
        retired_at === null || named.has(id) || retired_at + NEEDED_FOR > this.#now,
    )
    this.#model = { ...this.#model, keys }
    this.#ring = withoutUnused(this.#ring, named, this.#now)
    this.#show("pruning")
  }

  #show(act: string): void {
    this.#now += this.#chance.int(1, 3 * DAY)
    const [ring, model] = [this.#ring, this.#model]
    const last = model.keys.at(-1)
    const all = model.root.filter((master) => opens(model, master))
    const [next, old] = [this.#anyMaster(), this.#anyMaster()]
    const mayFinish = opens(model, next) && (old !== next || all.at(-1) === next)
    const mayUse = opens(model, next)
    const known = this.#chance.hits(0.3)
    const isLost = !known && last?.masters.includes(next) === false
    this.#scene.auditor.see("ring_turned", act, {
      act,
      expected: model,
      ring: plain(ring),
      answers: [
        { question: "who opens it", expected: all, answer: mastersOf(ring) },
        { question: "what seals", expected: last?.id, answer: sealingKey(ring)?.id },
        {
          question: `whether ${next} may be used`,
          expected: mayUse,
          answer: ringFlaw(ring, { mode: "live", master: next }) === undefined,
        },
        {
          question: "whether a sandbox may use it",
          expected: false,
          answer: ringFlaw(ring, { mode: "sandbox", master: next }) === undefined,
        },
        {
          question: `whether ${next} may take the place of ${old}`,
          expected: mayFinish,
          answer: finishFlaw(ring, { next, old }) === undefined,
        },
        {
          question: `whether ${next} can go on sealing`,
          expected: !isLost,
          answer: sealingFlaw(ring, { master: next, known: () => known }) === undefined,
        },
      ],
    })
  }
}

const TURNS = 14

const turn = (scene: Scene, chance: Chance): void => {
  const keeper = new Keeper(scene, chance)
  for (let n = 0; n < TURNS; n += 1) {
    chance.weighted<() => void>([
      [3, () => keeper.wrap()],
      [3, () => keeper.add()],
      [1.5, () => keeper.finish()],
      [2, () => keeper.prune()],
    ])()
  }
}

type Any = Records[Kind]

const fieldsOf = (kind: Kind) => KINDS[kind].sealed as SealedFields<Any> | undefined

const sealedOf = (kind: Kind, record: object) => {
  const fields = fieldsOf(kind)
  return fields === undefined ? [] : sealedIn(fields, record as Any)
}

const CURRENT = "new"
const PREFIX = `${CURRENT}:`

/** Opens what is sealed in a world, under keys whose names differ from secret to secret. */
const keyed = (vault: Vault["Service"]) => {
  const plainOf = (sealed: string): string =>
    sealed.startsWith(PREFIX) ? sealed.slice(PREFIX.length) : sealed
  /** Whether a secret has the current key already. */
  const isFresh = (sealed: string): boolean =>
    Number.parseInt(vault.sha256(sealed).slice(0, 2), 16) < 64
  const keyOf = (sealed: string): string =>
    sealed.startsWith(PREFIX) || isFresh(sealed) ? CURRENT : `old${vault.sha256(sealed).charAt(5)}`
  const service: Vault["Service"] = {
    ...vault,
    seal: (place, text) => `${PREFIX}${vault.seal(place, text)}`,
    open: (place, sealed) => vault.open(place, plainOf(sealed)),
    keyOf,
  }
  const textsOf = (kind: Kind, record: object) =>
    Effect.forEach(sealedOf(kind, record), ({ place, sealed }) =>
      Effect.orDie(service.open(place, sealed)),
    )
  return { isFresh, keyOf, service, textsOf }
}

/** Seals all secrets of the world again, of which nothing is stored. */
const reseal = Effect.fnUntraced(function* ({ auditor, store }: Scene, chance: Chance) {
  const { isFresh, keyOf, service, textsOf } = keyed(yield* Vault)
  const before = new Map<string, ReadonlyArray<string>>()
  const after = new Map<string, ReadonlyArray<string>>()
  const keys = new Map<string, ReadonlyArray<string>>()
  const refused = new Set<string>()
  const fresh = new Set<string>()
  for (const [kind, records] of auditor.model.know(kept)) {
    for (const [id, record] of records) {
      const values = record === null ? [] : sealedOf(kind, record)
      if (record === null || values.length === 0) continue
      const name = `${kind} ${id}`
      before.set(name, yield* textsOf(kind, record))
      keys.set(
        name,
        values.map(({ sealed }) => keyOf(sealed)),
      )
      if (values.every(({ sealed }) => isFresh(sealed))) fresh.add(name)
    }
  }
  const commit: Store["Service"]["commit"] = ({ writes }) =>
    Effect.gen(function* () {
      for (const { kind, record } of writes) {
        const name = `${kind} ${record.id}`
        if (chance.hits(0.2)) {
          refused.add(name)
          return yield* new Conflict({ reason: { type: "stale_version", kind, id: record.id } })
        }
        after.set(name, yield* textsOf(kind, record))
      }
      return undefined
    })
  const { changed, missed, named } = yield* resealRecords(CURRENT).pipe(
    Effect.provideService(Store, { ...store, commit }),
    Effect.provideService(Vault, service),
  )
  const left = [...refused].flatMap((name) => keys.get(name) ?? [])
  const told = { changed, missed, named: [...named] }
  auditor.see("resealed", "all secrets", { before, after, refused, fresh, left, told })
}, Effect.orDie)

/** Operators who rotate master keys and data keys, in a copy of the world's store. */
export const secretKeepers: Part = {
  name: "secret keepers",
  heavy: 0.2,
  rules: keptSecretRules,
  knowledge: [kept],
  inspect: (scene) => {
    const chance = scene.stage.chance("secret keepers")
    return Effect.andThen(
      Effect.sync(() => turn(scene, chance)),
      reseal(scene, chance),
    )
  },
}
