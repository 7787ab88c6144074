import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../../../adapters/crypto/Ids.ts"
import { Ids } from "../../../core/ports/Ids.ts"
import { isUuid } from "../../../core/shared/Id.ts"

it.effect("identifiers are UUIDv7 of now, never the same and always growing", () =>
  Effect.gen(function* () {
    const { uuid } = yield* Ids
    const before = Date.now()
    const ids = Array.from({ length: 10_000 }, uuid)
    const after = Date.now()
    expect(ids.every((id) => isUuid(id) && id[14] === "7")).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(ids)
    const time = Number.parseInt(ids[0]!.replace("-", "").slice(0, 12), 16)
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(after)
  }).pipe(Effect.provide(layer)),
)
