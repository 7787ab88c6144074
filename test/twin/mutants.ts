import { races, store, type Exploration } from "./explorations.ts"

/** A rule of a model, broken on purpose. Its exploration has to find one of `refuted_by` broken. */
export interface Mutant {
  readonly name: string
  readonly file: "Commit" | "Machines" | "Races" | "Store"
  /** Each text occurs once in the file, and is replaced by the other. */
  readonly changes: ReadonlyArray<readonly [string, string]>
  readonly exploration: Exploration
  readonly refuted_by: string
}

const two = (
  plans: readonly [string, string],
  others: {
    readonly together?: boolean
    readonly sameKey?: boolean
    readonly faults?: number
  } = {},
): Exploration => store({ plans, together: false, sameKey: false, faults: 0, ...others })

const alone = two(["take", "heir"], { faults: 1 })

/** Mutants of the models: each has to be refuted, or the check could not fail. */
export const MUTANTS: ReadonlyArray<Mutant> = [
  {
    name: "a commit replaces a record whatever its version",
    file: "Commit",
    changes: [["db.versionOf(write.id) != wanted,", "false,"]],
    exploration: two(["both", "take"]),
    refuted_by: "versions increase by one",
  },
  {
    name: "a counter is checked before its lock",
    file: "Store",
    changes: [["val reasons = conflicts(so.db, commit)", "val reasons = conflicts(s.db, commit)"]],
    exploration: two(["take", "spend"], { together: true }),
    refuted_by: "a counter stays within its limit and loses nothing",
  },
  {
    name: "counters are not locked until a group is durable",
    file: "Store",
    changes: [
      [
        `      .union(commit.reservations.indices().map(i =>
        ("counter", (commit.reservations[i].counter, 0))))`,
        "",
      ],
    ],
    exploration: two(["take", "spend"]),
    refuted_by: "a counter stays within its limit and loses nothing",
  },
  {
    name: "a reply is stored apart from its commit, before the answer",
    file: "Store",
    changes: [
      [
        "val db = flight.accepted.foldl(s.db, (so, tag) => so.apply(s.asked.get(tag)))",
        "val db = flight.accepted.foldl(s.db, (so, tag) =>" +
          " so.apply({ ...s.asked.get(tag), replies: Set() }))",
      ],
    ],
    exploration: alone,
    refuted_by: "a commit is all or nothing",
  },
  {
    name: "a request is answered before its group is durable",
    file: "Store",
    changes: [
      [
        `      if (not(flight.lost)) lands
`,
        `      if (not(flight.lost)) lands.concat(s.answer(flight).foldl([], (so, behind) =>
        so.append({ by: (flight.process, "answers early"), to: behind })))
`,
      ],
    ],
    exploration: alone,
    refuted_by: "what was acknowledged is stored",
  },
  {
    name: "a commit without an answer is looked for and not sent again",
    file: "Store",
    changes: [
      [
        `to: s.queue(name) }]
    else if (phase == "look")`,
        `to: s.write(name, { ...s.writers.get(name), reason: "stale_version" }).look(name) }]
    else if (phase == "look")`,
      ],
    ],
    exploration: alone,
    refuted_by: "what was refused is not stored",
  },
  {
    name: "a commit that is refused when sent again is taken for one that was not stored",
    file: "Store",
    changes: [["else if (self.sends == 1) all_.append", "else if (self.sends >= 1) all_.append"]],
    exploration: alone,
    refuted_by: "what was refused is not stored",
  },
  {
    name: "a commit without an answer is decided anew",
    file: "Store",
    changes: [
      [
        `[{ by: (name, "sends again"), to: s.queue(name) }]`,
        `[{ by: (name, "decides anew"), to: s.refuse(name) }]`,
      ],
    ],
    exploration: alone,
    refuted_by: "what was refused is not stored",
  },
  {
    name: "a key is claimed whoever has it",
    file: "Commit",
    changes: [["so.keys.get(change.key) != change.owner,", "false,"]],
    exploration: two(["name", "both"]),
    refuted_by: "a key has one owner",
  },
  {
    name: "a unique name is given twice",
    file: "Commit",
    changes: [["db.isNameTaken(commit) or db.isKeyTaken(commit)", "db.isKeyTaken(commit)"]],
    exploration: two(["name", "spend"]),
    refuted_by: "a unique name has one holder",
  },
  {
    name: "a reply is put over whatever is there",
    file: "Commit",
    changes: [["commit.replies.exists(reply => not(db.mayReplace(reply)))", "false"]],
    exploration: two(["take", "name"], { sameKey: true }),
    refuted_by: "a reply is there if and only if its commit is",
  },
  {
    name: "half of a commit survives a crash",
    file: "Store",
    changes: [
      [
        "s.flights.select(flight => not(flight.lost))\n      .foldl({ ...s, flights: [] }",
        `s.flights.select(flight => not(flight.lost))
      .foldl({ ...s, flights: [], db: s.flights.select(each => each.stage == "run")
        .foldl(s.db, (db, each) => each.accepted.foldl(db, (so, tag) =>
          so.apply({ ...s.asked.get(tag), keys: [], reservations: [] }))) }`,
      ],
    ],
    exploration: alone,
    refuted_by: "a commit is all or nothing",
  },
  {
    name: "a capture and a void write over each other",
    file: "Commit",
    changes: [["db.versionOf(write.id) != wanted,", "false,"]],
    exploration: races(["capture", "void"], 0),
    refuted_by: "versions increase by one",
  },
  {
    name: "a payment expires while its capture is under way",
    file: "Machines",
    changes: [
      [
        `{ from: "capturing", event: "capture_unknown"`,
        `{ from: "capturing", event: "expired", to: "expired", emits: Set(), drops: Set() },
        { from: "capturing", event: "capture_unknown"`,
      ],
    ],
    exploration: races(["capture", "expiry"], 0),
    refuted_by: "captured money belongs to no payment that was given up",
  },
  {
    name: "an unanswered capture is taken for a refused one",
    file: "Races",
    changes: [[`else "capture_unknown"`, `else "capture_refused"`]],
    exploration: races(["capture", "void"], 1),
    refuted_by: "captured money belongs to no payment that was given up",
  },
]
