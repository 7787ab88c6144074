import { defineKind } from "../../commits/KindDeclaration.ts"
import { Schema } from "effect"
import { block } from "../../shared/Text.ts"
import * as Machine from "../../shared/Machine.ts"
import { HOUR, type Timestamp } from "../../shared/Timestamp.ts"

/** The time within which an appeal is reviewed, in milliseconds (KYC/KYB, POST /v1/kyc/appeal). */
export const RESOLUTION = 48 * HOUR

/** The body of `POST /v1/kyc/appeal`. */
export const AppealInput = Schema.Struct({
  verification_id: Schema.String.annotateKey({ description: "The verification's id." }),
  reason: block(1024).annotateKey({ description: "Why the rejection was wrong." }),
})
/** A decoded appeal. */
export type AppealInput = typeof AppealInput.Type

/** The decision about an appeal: `upheld` keeps the rejection, `overturned` reverses it. */
export const AppealReviewInput = Schema.Struct({
  decision: Schema.Literals(["upheld", "overturned"]).annotateKey({
    description: "`overturned` grants the level after all.",
  }),
})
/** A decoded decision about an appeal. */
export type AppealReviewInput = typeof AppealReviewInput.Type

interface AppealCommon {
  /** `appl_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly verification_id: string
  /** When the review is expected to be finished. */
  readonly estimated_resolution: Timestamp
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** The states of an appeal with the fields of each. */
export interface AppealFacts {
  under_review: object
  /** The rejection was right and stands. */
  upheld: { resolved_at: Timestamp }
  /** The rejection was wrong, and the verification passes. */
  overturned: { resolved_at: Timestamp }
}

/** An appeal against a rejection. Its reason is sealed together with the verification's data. */
export type Appeal = AppealCommon & Machine.InState<AppealFacts>

/** A reviewer's decision as a move of the lifecycle. */
export interface AppealMove {
  readonly type: AppealReviewInput["decision"]
  readonly at: Timestamp
}

const resolved = ({ at }: AppealMove) => ({ resolved_at: at, updated_at: at })

const table: Machine.Table<AppealFacts, AppealMove, never> = {
  under_review: {
    upheld: { to: "upheld", set: resolved },
    overturned: { to: "overturned", set: resolved },
  },
  upheld: {},
  overturned: {},
}

/** The lifecycle of an appeal. */
export const appealMachine = Machine.make<AppealCommon, AppealFacts, AppealMove, never>(table)

declare module "../../commits/Records.ts" {
  interface Records {
    readonly appeal: Appeal
  }
}

/** How the store keeps appeals. */
export const appealKind = defineKind("appeal", {
  prefix: "appl",
  erased: true,
  lists: [["account_id"], ["status"]],
})
