import type { Life } from "./measure/life.ts"
import type { MedusaLives } from "./measure/medusa.ts"
import type { Peers } from "./measure/peers.ts"
import { areaTable, microseconds, table, verdict, whole } from "./tables.ts"

/** Whole lives, and each request of one. */
export const life = ({ areas, limit, lives, other, ...own }: Life): string => {
  const row = (name: string, { log, rate, spent, transactions }: typeof own) => [
    name,
    whole(rate),
    microseconds(spent.service),
    microseconds(spent.database),
    transactions.all.toFixed(1),
    transactions.writing.toFixed(1),
    whole(log),
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
        "log, bytes",
      ],
      builds.map(({ name, of }) => row(name, of)),
    ),
    table(
      ["requests of a life", "a second", "÷ database alone", "service, µs", "database, µs"],
      builds.flatMap(({ name, of }) => stages(name, of)),
    ),
    ...(areas.length === 0 ? [] : [areaTable("a life in the service, this build", areas)]),
  ].join("\n\n")
}

/** Returns the table of deliveries by payport and by libraries. */
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

/** Returns the table of whole lives by payport and by Medusa's payment module. */
export const medusa = ({ lives, others, own, target }: MedusaLives): string => {
  const spent = ({ database, rate, service }: MedusaLives["own"]) => [
    rate.toFixed(1),
    microseconds(service),
    microseconds(database),
  ]
  return table(
    [
      `lives, ${whole(lives.own)} and ${whole(lives.other)} a round`,
      "a second",
      "program, µs",
      "database, µs",
      "payport's rate ÷",
      "its cost ÷ payport's",
      `≥ ${target} times the rate`,
    ],
    [
      ["payport, to the webhook", ...spent(own), "", "", ""],
      ...others.map(({ costRatio, met, name, rateRatio, ...timed }) => [
        name,
        ...spent(timed),
        rateRatio.toFixed(2),
        costRatio.toFixed(2),
        verdict(met),
      ]),
    ],
  )
}
