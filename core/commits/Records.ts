/**
 * The kinds that a worker handles: their records have a time at which they are due. Each concept
 * adds its own kinds where it declares their records, so that this folder knows none:
 *
 * ```ts
 * declare module "../commits/Records.ts" {
 *   interface DueRecords {
 *     readonly mandate: Mandate
 *   }
 * }
 * ```
 */
export interface DueRecords {}

/** Every kind of record. Each has an `id` and a `version` that starts at 1. */
export interface Records extends DueRecords {}

/** What a commit stores besides records, added by its concepts in the same way. */
export interface Entries {}

/** The name of a kind of record. */
export type Kind = keyof Records

/** The name of a kind that a worker handles. */
export type DueKind = keyof DueRecords
