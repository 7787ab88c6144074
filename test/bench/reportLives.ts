import type { Life } from "./measure/life.ts"
import type { Peers } from "./measure/peers.ts"
import { microseconds, table, whole } from "./tables.ts"

/** Whole lives, and each request of one. */
export const life = ({ limit, lives, other, ...own }: Life): string => {
  const row = (name: string, { rate, spent, transactions }: typeof own) => [
    name,
    whole(rate),
    microseconds(spent.service),
    microseconds(spent.database),
    transactions.all.toFixed(1),
    transactions.writing.toFixed(1),
  ]
  const stages = (name: string, of: typeof own) =>
    of.stages.map(({ database, rate, service, stage }) => [
      `${stage}, ${name}`,
      whole(rate),
      limit === null ? "" : (rate / limit.rate).toFixed(3),
      microseconds(service),
      microseconds(database),
    ])
  const builds = [
    { name: "this build", of: own },
    ...(other === null ? [] : [{ name: "the other", of: other }]),
  ]
  return [
    table(
      [
        `whole lives, ${whole(lives)} a round`,
        "a second",
        "service, µs",
        "database, µs",
        "transactions",
        "that write",
      ],
      builds.map(({ name, of }) => row(name, of)),
    ),
    table(
      ["requests of a life", "a second", "÷ database alone", "service, µs", "database, µs"],
      builds.flatMap(({ name, of }) => stages(name, of)),
    ),
  ].join("\n\n")
}

/** Deliveries beside those of libraries. */
export const peers = ({ count, others, own }: Peers): string =>
  table(
    [
      `${whole(count)} deliveries by`,
      "a second",
      "worker, µs",
      "database, µs",
      "payport's rate ÷",
      "its cost ÷ payport's",
    ],
    [
      ["payport", whole(own.rate), microseconds(own.worker), microseconds(own.database), "", ""],
      ...others.map(({ costRatio, database, name, rate, rateRatio, worker }) => [
        name,
        whole(rate),
        microseconds(worker),
        microseconds(database),
        rateRatio.toFixed(2),
        costRatio.toFixed(2),
      ]),
    ],
  )
