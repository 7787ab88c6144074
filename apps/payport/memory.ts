/** The entry of `payport/memory`: a store in memory. */
export type { MemoryTransaction } from "../../adapters/memory/MemoryStore.ts"
export { memory } from "./memoryStore.ts"
