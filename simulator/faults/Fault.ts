/** One thing that can go wrong, as the table of faults describes it. */
export interface FaultInfo {
  /** What happens, in words. */
  readonly about: string
  /** How bad it may get: a probability, a mean in milliseconds, or whatever `unit` says. */
  readonly worst: number
  readonly unit?: "probability" | "milliseconds" | "per hour"
  /** In what part of all seeds it is on; two in three where nothing is said. */
  readonly share?: number
  /** What its strikes are counted as where that is another name; null: they are not. */
  readonly counted_as?: string | null
}
