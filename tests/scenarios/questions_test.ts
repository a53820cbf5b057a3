import { permutationsHeap } from "simple-statistics";
import assert from "node:assert/strict";
import { loadScenario } from "@/lab/live/scenarios.ts";
import { readJson } from "@/record/read_json.ts";
import { OPTION_LETTERS, ScenarioPacket } from "@/schema/scenario.ts";
import { numbers } from "./quantities.ts";

const FOLDER = new URL("../../scenarios/questions/", import.meta.url);

const files = (await Array.fromAsync(Deno.readDir(FOLDER), ({ name }) => name)).filter((name) =>
  name.endsWith(".json")
);
const packets = await Promise.all(files.sort().map((name) => readJson(new URL(name, FOLDER), ScenarioPacket)));
const packetOf = (id: string) => packets.find((packet) => packet.id === id)!;

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");

Deno.test("there are forty questions, twenty to estimate and twenty to deduce, each named as its file", () => {
  const twenty = (stem: string) => Array.from({ length: 20 }, (_, i) => `${stem}-${String(i + 1).padStart(2, "0")}`);
  assert.deepEqual(packets.map(({ id }) => id), [...twenty("QE"), ...twenty("QL")]);
  assert.deepEqual(files, packets.map(({ id }) => `${id}.json`));
  for (const { id, domain, type } of packets) {
    assert.deepEqual([domain, type], [id.startsWith("QE") ? "Estimation" : "Logic", "choice"], id);
  }
});

Deno.test("the right option stands in every place: each of A to D for at least six questions", () => {
  const times = (letter: string) => packets.filter(({ answer }) => answer === letter).length;
  for (const letter of ["A", "B", "C", "D"]) assert.ok(times(letter) >= 6, `${letter}: ${times(letter)}`);
  assert.ok(packets.some(({ answer, options }) => options.length === 5 && answer === "E"));
});

Deno.test("no place wins by itself: the right option is first, or last, in fewer than half of the questions", () => {
  const first = packets.filter(({ answer }) => answer === "A").length;
  const last = packets.filter(({ answer, options }) => answer === OPTION_LETTERS[options.length - 1]).length;
  assert.ok(first < 20 && last < 20, `first ${first}, last ${last}`);
});

for (const { id, title, background, question, options, source } of packets) {
  Deno.test(`${id}: the question has 40 to 120 words, three to five options and a source`, () => {
    assert.ok(words(background).length >= 40, `${words(background).length} words`);
    assert.ok(words(`${background} ${question}`).length <= 120);
    assert.ok(3 <= options.length && options.length <= 5);
    assert.equal(new Set(options.map(({ label }) => label)).size, options.length, "labels differ");
    assert.ok(words(source ?? "").length >= 8);
  });

  Deno.test(`${id}: every text is in plain characters, and none would be acted on by a parser or a template`, () => {
    for (const text of [title, background, question, ...options.flatMap(({ label, text }) => [label, text])]) {
      assert.equal(text, text.trim());
      assert.doesNotMatch(text, / {2}|\s[.,;?!]|[^\x20-\x7e]|STATE:|[{}[\]]/);
    }
    for (const { label, text } of options) {
      assert.doesNotMatch(label, /:/, "a colon ends a label where it is read");
      assert.match(text, /^[A-Z].*\.$/);
    }
    assert.match(background, /\.$/);
    assert.match(question, /^[^?]+\?$/);
  });

  Deno.test(`${id}: loadScenario() finds the question by its id`, async () => {
    assert.deepEqual(await loadScenario(id), packetOf(id));
  });
}

/** The numbers of a background in order, and what follows from them. */
interface Estimate {
  readonly given: readonly number[];
  /** The quantity that the options name; or one quantity for each option, of which the largest is asked for. */
  readonly value: (...given: number[]) => number | number[];
}

const sum = (terms: readonly number[]) => terms.reduce((total, term) => total + term, 0);
const months = (count: number, pay: (month: number) => number) => sum(Array.from({ length: count }, (_, i) => pay(i)));

const ESTIMATES: Readonly<Record<string, Estimate>> = {
  "QE-01": {
    given: [4, 2.5, 60, 12, 1000],
    value: (length, width, depthCm, litresPerMinute, litres) =>
      length! * width! * (depthCm! / 100) * litres! / litresPerMinute!,
  },
  "QE-02": {
    given: [12, 8, 3, 20, 10, 2],
    value: (length, width, height, openings, covers, coats) =>
      ((length! + width! + length! + width!) * height! - openings!) * coats! / covers!,
  },
  "QE-03": {
    given: [800, 30, 30],
    value: (price, up, down) => {
      const spring = price! + price! * up! / 100;
      return spring - spring * down! / 100;
    },
  },
  "QE-04": {
    given: [30, 15, 30, 30],
    value: (distance, out, _restMinutes, back) => 2 * distance! / (distance! / out! + distance! / back!),
  },
  "QE-05": {
    given: [1500, 3, 4],
    value: (lake, today, days) => days! * Math.log(lake! / 2 / today!) / Math.log(2),
  },
  "QE-06": {
    given: [2, 50],
    value: (percent, bulbs) => {
      let sound = 1;
      for (let bulb = 0; bulb < bulbs!; bulb++) sound *= 1 - percent! / 100;
      return 100 * (1 - sound);
    },
  },
  "QE-07": {
    given: [10_000, 1, 90, 8],
    value: (silos, base, hit, alarm) => {
      const mouldy = silos! * base! / 100;
      const [found, wrong] = [mouldy * hit! / 100, (silos! - mouldy) * alarm! / 100];
      return 100 * found / (found + wrong);
    },
  },
  "QE-08": {
    given: [6.2, 100, 17, 54, 900, 0.055],
    // Kilometres on one litre: the van that uses least goes farthest.
    value: (red, per, blue, tank, range, white) => [per! / red!, blue!, range! / tank!, 1 / white!],
  },
  "QE-09": {
    given: [30, 20, 1],
    value: (days, drops, millilitres) => days! * 24 * 60 * 60 / drops! * millilitres! / 1000,
  },
  "QE-10": {
    given: [10, 15, 30],
    value: (large, small, spring) => 1 / (1 / large! + 1 / small! - 1 / spring!),
  },
  "QE-11": {
    given: [5, 20, 1, 40, 4, 6],
    value: (price, balls, gold, goldWin, silver, silverWin) => {
      const bag = Array.from({ length: balls! }, (_, ball) => {
        return ball < gold! ? goldWin! : ball < gold! + silver! ? silverWin! : 0;
      });
      return price! - sum(bag) / balls!;
    },
  },
  "QE-12": {
    given: [3000, 4, 18],
    value: (deposit, percent, years) => {
      let account = deposit!;
      for (let year = 0; year < years!; year++) account += account * percent! / 100;
      return account;
    },
  },
  "QE-13": {
    given: [50, 10, 10, 3],
    value: (barrel, drawn, _again, times) => {
      let juice = barrel!;
      for (let time = 0; time < times!; time++) juice -= drawn! * juice / barrel!;
      return juice;
    },
  },
  "QE-14": {
    given: [6, 12],
    value: (members, count) => {
      let apart = 1;
      for (let before = 0; before < members!; before++) apart *= (count! - before) / count!;
      return 100 * (1 - apart);
    },
  },
  "QE-15": {
    given: [1, 25_000, 25_000, 8],
    value: (_one, scale, _again, squareCm) => squareCm! * (scale! / 100 / 1000) ** 2,
  },
  "QE-16": {
    given: [20, 60, 25, 72, 5, 90],
    value: (...courses) => {
      const pupils = [0, 2, 4].flatMap((i) => Array.from({ length: courses[i]! }, () => courses[i + 1]!));
      return sum(pupils) / pupils.length;
    },
  },
  "QE-17": {
    given: [20, 1.5, 50],
    value: (height, weight, copy) => weight! * (copy! / height!) ** 3,
  },
  "QE-18": {
    given: [4, 40, 10, 50, 8],
    value: (desks, seconds, _clock, minutes, arrive) => minutes! * arrive! - minutes! * 60 / seconds! * desks!,
  },
  "QE-19": {
    given: [4],
    // The mean of a number of boxes is the sum over n of the probability that n boxes are not enough.
    value: (cards) => {
      let shares = [1, ...Array.from({ length: cards! }, () => 0)], mean = 0;
      for (let boxes = 0; boxes < 500; boxes++) {
        mean += 1 - shares[cards!]!;
        shares = shares.map((share, k) => share * k / cards! + (shares[k - 1] ?? 0) * (cards! - k + 1) / cards!);
      }
      return mean;
    },
  },
  "QE-20": {
    given: [24, 2500, 2000, 1, 2, 1900, 60, 2300, 6500, 2150, 3150],
    value: (count, north, east, _month, percent, south, more, west, bonus, first, second) => [
      months(count!, () => north!),
      months(count!, (month) => east! * (1 + percent! / 100) ** month),
      months(count!, (month) => south! + more! * month),
      months(count!, () => west!) + bonus!,
      months(count!, (month) => month < count! / 2 ? first! : second!),
    ],
  },
};

/** All sequences of this length of the numbers 0…base - 1. */
function assignments(length: number, base: number): number[][] {
  return Array.from(
    { length: base ** length },
    (_, n) => Array.from({ length }, (_, place) => Math.floor(n / base ** place) % base),
  );
}

for (const [id, { given, value }] of Object.entries(ESTIMATES)) {
  Deno.test(`${id}: the answer follows from the numbers of the background`, () => {
    const { background, options, answer } = packetOf(id);
    assert.deepEqual(numbers(background), given);
    const found = value(...given);
    if (typeof found === "number") {
      const off = options.map(({ label }) => Math.abs(numbers(label)[0]! / found - 1));
      assert.deepEqual(lettersWhere(off, (share) => share < 0.025), [answer], `computed ${found}`);
      assert.deepEqual(lettersWhere(off, (share) => share < 0.04), [answer], "no other option is near");
    } else {
      assert.equal(found.length, options.length);
      const most = Math.max(...found);
      assert.deepEqual(lettersWhere(found, (quantity) => quantity > 0.98 * most), [answer], found.join(", "));
    }
  });
}

function lettersWhere<Value>(values: readonly Value[], holds: (value: Value) => boolean): string[] {
  return OPTION_LETTERS.filter((_, i) => i < values.length && holds(values[i]!));
}

/** What holds in every possible world, option by option. */
interface Verdict {
  /** How many worlds agree with all clues. */
  readonly solutions: number;
  readonly holds: Readonly<Record<string, boolean>>;
}

/** Tries every world: an option holds if its claim is true in each world in which all clues are. */
function verdict<World>(
  worlds: readonly World[],
  clues: (world: World) => readonly boolean[],
  claims: Readonly<Record<string, (world: World) => boolean>>,
): Verdict {
  const solutions = worlds.filter((world) => clues(world).every((clue) => clue));
  const holds = Object.entries(claims).map(([label, claim]) => [label, solutions.every(claim)]);
  return { solutions: solutions.length, holds: Object.fromEntries(holds) };
}

/** Claims that some value is the one of the label. */
const each = <World, Value>(labels: Readonly<Record<string, Value>>, valueOf: (world: World) => Value) =>
  Object.fromEntries(
    Object.entries(labels).map(([label, value]) => [label, (world: World) => valueOf(world) === value]),
  );

/** Claims of options that are the values themselves. */
const own = <World>(labels: readonly string[], valueOf: (world: World) => string) =>
  each(Object.fromEntries(labels.map((label) => [label, label])), valueOf);

/** The options' numbers against one number that was found. */
const found = (value: number, labels: readonly (string | number)[]): Verdict =>
  verdict([value], () => [], each(Object.fromEntries(labels.map((label) => [label, parseFloat(`${label}`)])), Number));

const bools = (length: number) => assignments(length, 2).map((bits) => bits.map((bit) => bit === 1));
const places = (order: readonly string[]) => (name: string) => order.indexOf(name);

const LOGIC: Readonly<Record<string, () => Verdict>> = {
  "QL-01": () =>
    verdict(
      permutationsHeap(["Ana", "Ben", "Cleo", "Dan", "Eva"]),
      (order) => {
        const at = places(order);
        return [
          at("Eva") - at("Dan") === 1,
          at("Ben") - at("Eva") === 1,
          at("Cleo") < at("Dan"),
          at("Ana") > at("Ben"),
        ];
      },
      own(["Eva", "Dan", "Ben", "Cleo"], (order) => order[2]!),
    ),
  // A world is the set of kinds of boxes that there are; a kind is blue or not, heavy or not, locked or not, labelled or not.
  "QL-02": () => {
    const kinds = bools(4).map(([blue, heavy, locked, label]) => ({ blue, heavy, locked, label }));
    return verdict(
      bools(kinds.length).map((present) => kinds.filter((_, i) => present[i])),
      (boxes) => [
        boxes.every(({ blue, locked }) => !blue || locked),
        boxes.some(({ heavy, blue }) => heavy && blue),
        !boxes.some(({ locked, label }) => locked && label),
      ],
      {
        "All heavy boxes are locked": (boxes) => boxes.every(({ heavy, locked }) => !heavy || locked),
        "No heavy box has a label": (boxes) => !boxes.some(({ heavy, label }) => heavy && label),
        "Some heavy boxes have no label": (boxes) => boxes.some(({ heavy, label }) => heavy && !label),
        "All boxes without a label are locked": (boxes) => boxes.every(({ label, locked }) => label || locked),
      },
    );
  },
  "QL-03": () =>
    verdict(
      bools(3),
      ([ada, bo, cy]) => [ada === !bo, bo === (ada === cy), cy === bo],
      {
        "Only Ada": ([ada, bo, cy]) => ada! && !bo && !cy,
        "Only Bo": ([ada, bo, cy]) => !ada && bo! && !cy,
        "Ada and Cy": ([ada, bo, cy]) => ada! && !bo && cy!,
        "Bo and Cy": ([ada, bo, cy]) => !ada && bo! && cy!,
      },
    ),
  "QL-04": () => {
    const liars = (truthful: readonly boolean[]) => truthful.filter((one) => !one).length;
    return verdict(
      bools(6),
      (truthful) => truthful.map((one, i) => one === (liars(truthful) >= i + 1)),
      each({ 1: 1, 3: 3, 5: 5, 6: 6 }, liars),
    );
  },
  // Some best plan starts each task as early as possible in some order, so all orders are enough.
  "QL-05": () => {
    const hours = { cleaning: 3, painting: 4, wiring: 2, lamps: 1, floor: 3, yard: 8 };
    type Task = keyof typeof hours;
    const after: Partial<Record<Task, Task[]>> = {
      painting: ["cleaning"],
      floor: ["painting"],
      lamps: ["painting", "wiring"],
    };
    const orders = permutationsHeap(Object.keys(hours) as Task[])
      .filter((order) => order.every((task, i) => (after[task] ?? []).every((before) => order.indexOf(before) < i)));
    const lengths = orders.map((order) => {
      const free = [0, 0], end: Partial<Record<Task, number>> = {};
      for (const task of order) {
        const worker = free[0]! <= free[1]! ? 0 : 1;
        const start = Math.max(free[worker]!, ...(after[task] ?? []).map((before) => end[before]!));
        free[worker] = end[task] = start + hours[task];
      }
      return Math.max(...free);
    });
    return found(Math.min(...lengths), ["10 hours", "10.5 hours", "11 hours", "21 hours"]);
  },
  "QL-06": () => {
    const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    const day = (today: number, later: number) => days[(today + later + 700) % 7]!;
    return verdict(
      [0, 1, 2, 3, 4, 5, 6],
      (today) => [day(today, -2 - 3) === "Saturday"],
      own(["Monday", "Thursday", "Friday", "Saturday", "Sunday"], (today) => day(today, 100)),
    );
  },
  "QL-07": () => {
    const owners = permutationsHeap(["Ida", "Jon", "Kim", "Leo"]);
    const crops = permutationsHeap(["beans", "carrots", "onions", "peas"]);
    return verdict(
      owners.flatMap((owner) => crops.map((crop) => ({ owner, crop }))),
      ({ owner, crop }) => {
        const [of, at] = [places(owner), places(crop)];
        return [
          of("Jon") === at("carrots") + 1,
          of("Ida") === at("onions"),
          of("Leo") === 0 || of("Leo") === 3,
          of("Leo") !== at("peas"),
          at("beans") < at("onions"),
          Math.abs(of("Kim") - of("Jon")) !== 1,
        ];
      },
      each(
        { "The first garden": 0, "The second garden": 1, "The third garden": 2, "The fourth garden": 3 },
        ({ crop }) => crop.indexOf("peas"),
      ),
    );
  },
  "QL-08": () => {
    const apart = (seats: readonly string[]) => (a: string, b: string) => {
      const steps = Math.abs(seats.indexOf(a) - seats.indexOf(b));
      return Math.min(steps, 6 - steps);
    };
    return verdict(
      permutationsHeap(["Bea", "Carl", "Dora", "Emil", "Fay"]).map((others) => ["Ada", ...others]),
      (seats) => {
        const steps = apart(seats);
        return [
          steps("Ada", "Bea") === 1,
          steps("Bea", "Carl") !== 1,
          steps("Carl", "Dora") === 3,
          steps("Emil", "Ada") !== 1 && steps("Emil", "Dora") !== 1,
        ];
      },
      own(["Ada", "Carl", "Emil", "Fay"], (seats) => seats[(seats.indexOf("Bea") + 3) % 6]!),
    );
  },
  "QL-09": () => {
    const codes = assignments(3, 6).map((digits) => digits.map((digit) => digit + 1).join(""))
      .filter((code) => new Set(code).size === 3);
    const answer = (code: string, tried: string) => {
      const right = [...tried].filter((digit, place) => code[place] === digit).length;
      return { right, elsewhere: [...tried].filter((digit) => code.includes(digit)).length - right };
    };
    const told = (code: string, tried: string, right: number, elsewhere: number) => {
      const { right: r, elsewhere: e } = answer(code, tried);
      return r === right && e === elsewhere;
    };
    return verdict(
      codes,
      (code) => [told(code, "412", 0, 1), told(code, "345", 1, 0), told(code, "513", 0, 2), told(code, "634", 0, 1)],
      own(["361", "321", "265", "165", "156"], (code) => code),
    );
  },
  "QL-10": () => {
    const needed = [0, 0];
    for (let parcels = 2; parcels <= 20; parcels++) {
      const worst = Array.from({ length: Math.floor(parcels / 2) }, (_, i) => {
        const onEachPan = i + 1;
        return Math.max(needed[onEachPan]!, needed[parcels - 2 * onEachPan]!);
      });
      needed[parcels] = 1 + Math.min(...worst);
    }
    return found(needed[20]!, ["3", "4", "5", "10"]);
  },
  "QL-11": () =>
    verdict(
      ["red", "blue", "green", "white"],
      (key) => {
        const labels = [key === "blue" || key === "green", key !== "blue", key === "white", key !== "green"];
        return [labels.filter((label) => !label).length === 1];
      },
      each(
        { "The white chest": "white", "The red chest": "red", "The blue chest": "blue", "The green chest": "green" },
        (key) => key,
      ),
    ),
  // A world is a number of members for each set of games that somebody can play.
  "QL-12": () => {
    const clubs = assignments(4, 15).flatMap(([chessDraughts, chessCards, draughtsCards, all]) => {
      const two = chessDraughts! + chessCards! + draughtsCards!;
      const one = [
        15 - all! - chessDraughts! - chessCards!,
        14 - all! - chessDraughts! - draughtsCards!,
        16 - all! - chessCards! - draughtsCards!,
      ];
      return [...one, 20 - sum(one) - two - all!].every((members) => members >= 0) ? [all!] : [];
    });
    return found(Math.min(...new Set(clubs)), ["0", "5", "9", "14"]);
  },
  "QL-13": () => found(shortestCrossing([2, 3, 7, 9]), ["17 minutes", "20 minutes", "21 minutes", "23 minutes"]),
  // A set of parcels suffices if what it shows always settles whether all obey; the smallest such set is asked for.
  "QL-14": () => {
    const obey = (parcels: readonly { fragile: boolean; foam: boolean }[]) =>
      parcels.every(({ fragile, foam }) => !fragile || foam);
    const worlds = bools(4).map((hidden) => ({
      hidden,
      obey: obey([
        { fragile: true, foam: hidden[0]! },
        { fragile: false, foam: hidden[1]! },
        { fragile: hidden[2]!, foam: true },
        { fragile: hidden[3]!, foam: false },
      ]),
    }));
    const shown = (hidden: readonly boolean[], opened: readonly boolean[]) =>
      hidden.map((bit, i) => opened[i] ? bit : "?").join();
    const suffices = (opened: readonly boolean[]) =>
      worlds.every((a) =>
        worlds.every((b) => shown(a.hidden, opened) !== shown(b.hidden, opened) || a.obey === b.obey)
      );
    const enough = bools(4).filter(suffices);
    const size = (opened: readonly boolean[]) => opened.filter((one) => one).length;
    const fewest = Math.min(...enough.map(size));
    const is = (...parcels: number[]) => (opened: readonly boolean[]) =>
      opened.every((one, i) => one === parcels.includes(i + 1));
    return verdict(enough, (opened) => [size(opened) === fewest], {
      "Only the first": is(1),
      "The first and the third": is(1, 3),
      "The first and the fourth": is(1, 4),
      "All four": is(1, 2, 3, 4),
    });
  },
  "QL-15": () => {
    const matches = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]] as const;
    const points = (results: readonly number[]) => {
      const table = [0, 0, 0, 0];
      matches.forEach(([home, away], i) => {
        table[home]! += [1, 3, 0][results[i]!]!;
        table[away]! += [1, 0, 3][results[i]!]!;
      });
      return table;
    };
    return verdict(
      assignments(6, 3),
      (results) => points(results).map((sum, team) => sum === [7, 5, 3, 1][team]),
      each({ "It was a draw": 0, "Birch won": 1, "Dogwood won": 2 }, (results) => results[4]!),
    );
  },
  "QL-16": () =>
    verdict(
      permutationsHeap(["bees", "clocks", "maps", "rivers", "stars"]),
      (talks) => {
        const at = places(talks);
        return [
          at("bees") - at("clocks") === 1,
          Math.abs(at("maps") - at("stars")) === 2,
          at("maps") < at("rivers"),
          talks[4] !== "rivers",
          talks[0] !== "clocks",
        ];
      },
      own(
        ["The talk on stars", "The talk on rivers", "The talk on bees", "The talk on clocks"],
        (talks) => `The talk on ${talks[3]}`,
      ),
    ),
  "QL-17": () => {
    const lamps = Array.from({ length: 20 }, () => false);
    for (let visitor = 1; visitor < 20; visitor += 2) {
      for (let lamp = visitor; lamp <= 20; lamp += visitor) lamps[lamp - 1] = !lamps[lamp - 1];
    }
    return found(lamps.filter((on) => on).length, ["4", "7", "10", "13"]);
  },
  "QL-18": () =>
    verdict(
      permutationsHeap(["mill", "north", "old", "port"]).map(places),
      (height) => [height("mill") > height("north"), height("north") < height("old"), height("old") < height("port")],
      {
        "The port tower is taller than the north tower": (height) => height("port") > height("north"),
        "The mill tower is taller than the port tower": (height) => height("mill") > height("port"),
        "The old tower is lower than the mill tower": (height) => height("old") < height("mill"),
      },
    ),
  "QL-19": () => {
    const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    const lies = (on: readonly string[]) => (day: number) => on.includes(days[(day + 7) % 7]!);
    const parrot = lies(["Monday", "Wednesday", "Thursday"]), magpie = lies(["Wednesday", "Thursday", "Sunday"]);
    return verdict(
      [0, 1, 2, 3, 4, 5, 6],
      (day) => [parrot(day - 1) !== parrot(day), magpie(day + 1) !== magpie(day)],
      own(["Monday", "Tuesday", "Thursday", "Friday", "Sunday"], (day) => days[day]!),
    );
  },
  "QL-20": () =>
    verdict(
      assignments(3, 9).map((digits) => digits.map((digit) => digit + 1)),
      ([p, q, r]) => [
        new Set([p, q, r]).size === 3,
        Number(`${p}${q}`) + Number(`${q}${p}`) === Number(`${r}${p}${r}`),
      ],
      each({ 1: 1, 2: 2, 7: 7, 8: 8, 9: 9 }, ([, q]) => q!),
    ),
};

/** Minutes of the shortest way through, two at a time at most and the lamp with them, over all ways to go. */
function shortestCrossing(paces: readonly number[]): number {
  const everyone = 2 ** paces.length - 1;
  const groups = Array.from({ length: everyone }, (_, i) => i + 1)
    .map((group) => ({ group, paces: paces.filter((_, i) => group & 2 ** i) }))
    .filter(({ paces }) => paces.length <= 2);
  // Minutes by who still stands before the tunnel and on which side the lamp is; better ways replace worse ones until none is left.
  const best = new Map([[`${everyone} near`, 0]]);
  for (let changed = true; changed;) {
    changed = false;
    for (const [state, minutes] of [...best]) {
      const [near, side] = [parseInt(state), state.split(" ")[1]];
      for (const { group, paces } of groups) {
        const here = side === "near" ? near : everyone - near;
        if ((here & group) !== group) continue;
        const next = side === "near" ? `${near - group} far` : `${near + group} near`;
        const then = minutes + Math.max(...paces);
        if (then >= (best.get(next) ?? Infinity)) continue;
        best.set(next, then);
        changed = true;
      }
    }
  }
  return best.get("0 far")!;
}

for (const [id, solve] of Object.entries(LOGIC)) {
  Deno.test(`${id}: exactly one option holds in every world that agrees with the clues`, () => {
    const { options, answer } = packetOf(id);
    const { solutions, holds } = solve();
    assert.ok(solutions > 0, "the clues agree with each other");
    assert.deepEqual(Object.keys(holds).toSorted(), options.map(({ label }) => label).toSorted());
    assert.deepEqual(lettersWhere(options, ({ label }) => holds[label]!), [answer]);
  });
}

Deno.test("every answer is recomputed here", () => {
  const recomputed = [...Object.keys(ESTIMATES), ...Object.keys(LOGIC)];
  assert.deepEqual(recomputed.toSorted(), packets.map(({ id }) => id));
});
