import { replies } from "../tables/replies.ts"
import { givenValues, ownRows } from "./rowSteps.ts"

/** The SQLSTATE of a group that met something stored after its checks. The group is sent again. */
export const RACED = "PPR01"

export const lockCounters = `
  IF counters <> '' THEN
    counter_names := ARRAY(SELECT json_array_elements_text(counters::json));
    INSERT INTO payport.counters (counter, value)
    SELECT wanted.counter, 0 FROM unnest(counter_names) AS wanted (counter)
    WHERE NOT EXISTS (SELECT FROM payport.counters AS held WHERE held.counter = wanted.counter)
    ORDER BY wanted.counter COLLATE "C"
    ON CONFLICT DO NOTHING;
    FOR hit IN
      WITH locked AS MATERIALIZED (
        SELECT counter, value FROM payport.counters WHERE counter = ANY (counter_names)
        ORDER BY counter FOR UPDATE)
      SELECT wanted.item, locked.value
      FROM unnest(counter_names) WITH ORDINALITY AS wanted (counter, item)
      LEFT JOIN locked ON locked.counter = wanted.counter
    LOOP
      IF hit.value IS NULL THEN RAISE EXCEPTION 'a counter went' USING ERRCODE = '${RACED}'; END IF;
      counter_values[hit.item] := hit.value;
    END LOOP;
  END IF;`

const GIVEN_KEYS = `json_to_recordset(keys::json)
        AS given (key text, releasers text[], claimant text, keeper text, commit_no int)`

export const checkKeys = `
  IF keys <> '' THEN
    FOR hit IN
      WITH given AS MATERIALIZED (SELECT * FROM ${GIVEN_KEYS}),
      locked AS MATERIALIZED (
        SELECT key, owner FROM payport.claimed_keys WHERE key = ANY (ARRAY(SELECT key FROM given))
        ORDER BY key FOR UPDATE)
      SELECT given.commit_no, given.key, locked.owner
      FROM given JOIN locked ON locked.key = given.key
      WHERE locked.owner <> given.claimant AND locked.owner <> ALL (given.releasers)
    LOOP
      refused[hit.commit_no] := coalesce(refused[hit.commit_no],
        json_build_array('key_taken', hit.key, hit.owner)::text);
      any_refused := true;
    END LOOP;
  END IF;`

/**
 * Looks for stored replies. They are rare, so a group is first sent without this check, and sent
 * again as `careful` if it meets one. A careful group waits only shortly for locks, because other
 * groups wait while its conflict is searched.
 */
export const checkReplies = `
  IF careful THEN
    FOR hit IN
      SELECT given.commit_no
      FROM ${ownRows(replies)}
      JOIN payport.replies AS held ON held.account_id = given.account_id AND held.key = given.key
      WHERE NOT (held.expires_at <= given.created_at
        OR held.answer IS NULL AND held.holder = given.holder)
      ORDER BY held.account_id, held.key
      FOR UPDATE OF held
    LOOP
      refused[hit.commit_no] := coalesce(refused[hit.commit_no], '["reply_taken"]');
      any_refused := true;
    END LOOP;
  END IF;`

/** Adds reservations in order of arrival. A commit that passes a limit takes back all its own. */
export const decideReservations = `
  FOR i IN 1 .. coalesce(array_length(added_of, 1), 0) LOOP
    this := added_of[i];
    CONTINUE WHEN refused[this] IS NOT NULL;
    counter_no := added_to[i];
    IF added[i] > 0 AND counter_values[counter_no] + added[i] > limits[i] THEN
      refused[this] := json_build_array('limit_reached', counter_names[counter_no],
        counter_values[counter_no])::text;
      any_refused := true;
      FOR j IN REVERSE i - 1 .. 1 LOOP
        EXIT WHEN added_of[j] <> this;
        counter_values[added_to[j]] := counter_values[added_to[j]] - added[j];
      END LOOP;
    ELSE
      counter_values[counter_no] := counter_values[counter_no] + added[i];
    END IF;
  END LOOP;`

export const writeCounters = `
  IF counters <> '' THEN
    UPDATE payport.counters AS stored SET value = given.value
    FROM unnest(counter_names, counter_values) AS given (counter, value)
    WHERE stored.counter = given.counter AND stored.value <> given.value;
  END IF;`

/** Writes keys. If a key was stored since it was checked as free, fewer keys are written. */
export const writeKeys = `
  IF keys <> '' THEN
    DELETE FROM payport.claimed_keys AS stored USING ${GIVEN_KEYS}
    WHERE stored.key = given.key AND refused[given.commit_no] IS NULL
      AND given.keeper IS NULL AND stored.owner = ANY (given.releasers || given.claimant);
    UPDATE payport.claimed_keys AS stored SET owner = given.keeper FROM ${GIVEN_KEYS}
    WHERE stored.key = given.key AND refused[given.commit_no] IS NULL
      AND stored.owner <> given.keeper AND stored.owner = ANY (given.releasers || given.claimant);
    SELECT count(*) INTO meant FROM ${GIVEN_KEYS}
    WHERE given.keeper IS NOT NULL AND refused[given.commit_no] IS NULL;
    INSERT INTO payport.claimed_keys AS stored (key, owner)
    SELECT given.key, given.keeper FROM ${GIVEN_KEYS}
    WHERE given.keeper IS NOT NULL AND refused[given.commit_no] IS NULL
    ORDER BY given.key COLLATE "C"
    ON CONFLICT (key) DO UPDATE SET owner = excluded.owner WHERE stored.owner = excluded.owner;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written <> meant THEN RAISE EXCEPTION 'a key went' USING ERRCODE = '${RACED}'; END IF;
  END IF;`

export const writeReplies = `
  IF cardinality(inserted_replies) > 0 THEN
    INSERT INTO payport.replies AS stored (${replies.columns.map(({ name }) => name).join(", ")})
    SELECT ${givenValues(replies)}
    FROM ${ownRows(replies)} WHERE refused[given.commit_no] IS NULL
    ORDER BY given.account_id, given.key COLLATE "C"
    ON CONFLICT (account_id, key) DO UPDATE SET fingerprint = excluded.fingerprint,
      holder = excluded.holder, answer = excluded.answer, lease_until = excluded.lease_until,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE stored.expires_at <= excluded.created_at
      OR stored.answer IS NULL AND stored.holder = excluded.holder;
    GET DIAGNOSTICS written = ROW_COUNT;
    SELECT count(*) INTO meant FROM unnest(reply_of) AS given (commit_no)
    WHERE refused[given.commit_no] IS NULL;
    IF written <> meant THEN RAISE EXCEPTION 'a reply came' USING ERRCODE = '${RACED}'; END IF;
  END IF;`
