import type { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Total Cost": number
  readonly Plans?: ReadonlyArray<Node>
}

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** A plan in a few words: each scan of a table. */
export interface Plan {
  readonly scans: ReadonlyArray<string>
  readonly sequential: ReadonlyArray<string>
  /** The indexes that are used, in the order of the plan. */
  readonly indexes: ReadonlyArray<string>
  readonly cost: number
}

const planOf = (answer: unknown): Plan => {
  const [{ Plan: root }] = (typeof answer === "string" ? JSON.parse(answer) : answer) as [
    { readonly Plan: Node },
  ]
  const scans = nodesOf(root).flatMap((node) =>
    node["Relation Name"] === undefined ? [] : [`${node["Node Type"]} on ${node["Relation Name"]}`],
  )
  return {
    scans,
    sequential: scans.filter((scan) => scan.startsWith("Seq Scan")),
    indexes: nodesOf(root).flatMap((node) => node["Index Name"] ?? []),
    cost: root["Total Cost"],
  }
}

/** Returns the server's plan for the statement with these values. */
export const explain = (
  session: PgConnection.PgConnection,
  sql: string,
  parameters: ReadonlyArray<unknown>,
) =>
  Effect.map(session.query(`EXPLAIN (FORMAT JSON) ${sql}`, parameters, false), ({ rows }) =>
    planOf(rows[0]?.["QUERY PLAN"]),
  )

/** Returns the server's generic plan for a statement of the commit function. */
export const explainGeneric = Effect.fnUntraced(function* (
  session: PgConnection.PgConnection,
  sql: string,
  types: ReadonlyArray<string>,
) {
  yield* session.query(`PREPARE part(${types.join()}) AS ${sql}`, [], false)
  const nulls = types.map(() => "NULL").join()
  const { rows } = yield* session.query(`EXPLAIN (FORMAT JSON) EXECUTE part(${nulls})`, [], false)
  yield* session.query("DEALLOCATE part", [], false)
  return planOf(rows[0]?.["QUERY PLAN"])
})
