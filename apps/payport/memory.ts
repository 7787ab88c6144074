/** The entry of `payport/memory`: a store in memory. */
export { memory } from "./memoryStore.ts"
