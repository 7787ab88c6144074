import { registryInvariants } from "../auditor/invariants/registry.ts"
import { registry as knowledge } from "../auditor/Registry.ts"
import type { Part } from "../world/Part.ts"
import { browse, lookAround, stay } from "./discovery.ts"
import { offer } from "./offering.ts"

/** Sellers who come and go with what they offer, and those who look for it. */
export const registry: Part = {
  name: "registry",
  heavy: 0.25,
  invariants: registryInvariants,
  knowledge: [knowledge],
  errands: (scene) => [offer(scene), browse(scene), stay(scene, 1), stay(scene, 2)],
  inspect: lookAround,
}
