// AssemblyScript, compiled by `deno task dev kernel` into `bytes.ts`. Sums of distances for many weightings, shuffles and walks
// of the same runs. `kernel.ts` lays out the memory; the plain TypeScript that says what is computed, and that tests compare
// with, is named at each export. A vector holds two rounds, or two runs; all sizes that are not in bytes are counts.

@external("env", "log")
declare function log(x: f64): f64;

const VECTOR: usize = 16, NUMBER: usize = 8;

/** Adds to `into` the distances between two states, a vector of rounds after the other; options are `wide` bytes apart. */
function addDistances(into: usize, a: usize, b: usize, K: usize, wide: usize): void {
  const end = into + wide;
  while (into + 3 * VECTOR <= end) {
    let sum0 = f64x2.splat(0), sum1 = sum0, sum2 = sum0;
    for (let k: usize = 0, p = a, q = b; k < K; k++, p += wide, q += wide) {
      const difference0 = f64x2.sub(v128.load(p), v128.load(q));
      const difference1 = f64x2.sub(v128.load(p, VECTOR), v128.load(q, VECTOR));
      const difference2 = f64x2.sub(v128.load(p, 2 * VECTOR), v128.load(q, 2 * VECTOR));
      sum0 = f64x2.add(sum0, f64x2.mul(difference0, difference0));
      sum1 = f64x2.add(sum1, f64x2.mul(difference1, difference1));
      sum2 = f64x2.add(sum2, f64x2.mul(difference2, difference2));
    }
    v128.store(into, f64x2.add(v128.load(into), f64x2.sqrt(sum0)));
    v128.store(into, f64x2.add(v128.load(into, VECTOR), f64x2.sqrt(sum1)), VECTOR);
    v128.store(into, f64x2.add(v128.load(into, 2 * VECTOR), f64x2.sqrt(sum2)), 2 * VECTOR);
    into += 3 * VECTOR;
    a += 3 * VECTOR;
    b += 3 * VECTOR;
  }
  for (; into < end; into += VECTOR, a += VECTOR, b += VECTOR) {
    let sum = f64x2.splat(0);
    for (let k: usize = 0, p = a, q = b; k < K; k++, p += wide, q += wide) {
      const difference = f64x2.sub(v128.load(p), v128.load(q));
      sum = f64x2.add(sum, f64x2.mul(difference, difference));
    }
    v128.store(into, f64x2.add(v128.load(into), f64x2.sqrt(sum)));
  }
}

// Forms of weighted runs: `weightedForms` in `../weighted_forms.ts`.

/** Runs in a block: the distances between two blocks over 18 rounds are 58 kB and stay in the cache; 20 are what an experiment has. */
const BLOCK: usize = 20;
/** Blocks whose products stay in the cache while those of another pass by. */
const STRIP: usize = 5;

/** Distances between the runs of two blocks, [BLOCK][BLOCK]; both halves where the blocks are one, there times `scale`. */
function fillTable(table: usize, states: usize, R: usize, K: usize, wide: usize, I: usize, J: usize, scale: f64): void {
  const endI = min(R, I + BLOCK), endJ = min(R, J + BLOCK);
  memory.fill(table, 0, BLOCK * BLOCK * wide);
  for (let i = I; i < endI; i++) {
    for (let j = J; j < (I == J ? i : endJ); j++) {
      const here = table + ((i - I) * BLOCK + j - J) * wide;
      addDistances(here, states + i * K * wide, states + j * K * wide, K, wide);
      if (I != J) continue;
      const mirrored = table + ((j - I) * BLOCK + i - I) * wide;
      for (let v: usize = 0; v < wide; v += VECTOR) {
        const d = f64x2.mul(f64x2.splat(scale), v128.load(here + v));
        v128.store(here + v, d);
        v128.store(mirrored + v, d);
      }
    }
  }
}

/** A member of a sample: which run of its block (u32), and how often (f64, after it). */
const MEMBER: usize = 16;

/** Lists the members of each sample block by block; `firsts`, [samples][blocks + 1], points to each block's first. */
function listMembers(counts: usize, R: usize, samples: usize, members: usize, firsts: usize): void {
  for (let s: usize = 0; s < samples; s++) {
    for (let i: usize = 0; i < R; i++, counts += 4) {
      if (i % BLOCK == 0) {
        store<usize>(firsts, members);
        firsts += 4;
      }
      const count = load<usize>(counts);
      if (count == 0) continue;
      store<usize>(members, i % BLOCK);
      store<f64>(members, count, 8);
      members += MEMBER;
    }
    store<usize>(firsts, members);
    firsts += 4;
  }
}

/** Adds to the products at y of the members of one block what those of another bring: y_a += Σ_b w_b · d_ab. */
function addProducts(y: usize, first: usize, end: usize, others: usize, othersEnd: usize, table: usize, row: usize, column: usize, wide: usize): void {
  for (let a = first; a < end; a += 2 * MEMBER, y += 2 * wide) {
    // Two rows at a time; an odd last one is its own neighbour.
    const next: usize = a + MEMBER < end ? MEMBER : 0;
    for (let v: usize = 0; v < wide; v += 3 * VECTOR) {
      const y0 = y + v, d0 = table + v + load<usize>(a) * row;
      const y1 = next ? y0 + wide : y0, d1 = table + v + load<usize>(a + next) * row;
      let a0 = v128.load(y0), a1 = v128.load(y0, VECTOR), a2 = v128.load(y0, 2 * VECTOR);
      let b0 = v128.load(y1), b1 = v128.load(y1, VECTOR), b2 = v128.load(y1, 2 * VECTOR);
      for (let b = others; b < othersEnd; b += MEMBER) {
        const at = load<usize>(b) * column, w = v128.load_splat<f64>(b, 8);
        a0 = f64x2.add(a0, f64x2.mul(w, v128.load(d0 + at)));
        a1 = f64x2.add(a1, f64x2.mul(w, v128.load(d0 + at, VECTOR)));
        a2 = f64x2.add(a2, f64x2.mul(w, v128.load(d0 + at, 2 * VECTOR)));
        b0 = f64x2.add(b0, f64x2.mul(w, v128.load(d1 + at)));
        b1 = f64x2.add(b1, f64x2.mul(w, v128.load(d1 + at, VECTOR)));
        b2 = f64x2.add(b2, f64x2.mul(w, v128.load(d1 + at, 2 * VECTOR)));
      }
      v128.store(y0, a0);
      v128.store(y0, a1, VECTOR);
      v128.store(y0, a2, 2 * VECTOR);
      v128.store(y1, b0);
      v128.store(y1, b1, VECTOR);
      v128.store(y1, b2, 2 * VECTOR);
    }
  }
}

/**
 * Forms wᵀ d w, [samples] vectors of `wide` bytes, and errors, [samples], of rows of counts; kind 0: none, 1: influence, 2:
 * delete-one. `wide` is a multiple of three vectors; each holds the round that lies as far after the middle of the window as
 * the other lies before it, outermost first.
 */
export function forms(states: usize, R: usize, K: usize, W: usize, wide: usize, counts: usize, samples: usize, kind: usize,
  table: usize, members: usize, firsts: usize, y: usize, out: usize, errors: usize): void {
  const blocks = (R + BLOCK - 1) / BLOCK, list: usize = 4 * (blocks + 1);
  listMembers(counts, R, samples, members, firsts);
  memory.fill(y, 0, (load<usize>(firsts + samples * list - 4) - members) / MEMBER * wide);
  for (let start: usize = 0; start < blocks; start += STRIP) {
    for (let J: usize = 0; J < min(blocks, start + STRIP); J++) {
      for (let I = max(start, J); I < min(blocks, start + STRIP); I++) {
        // Without errors each pair is needed once: those within a block, which come twice, count half.
        fillTable(table, states, R, K, wide, I * BLOCK, J * BLOCK, kind ? 1 : 0.5);
        for (let s: usize = 0; s < samples; s++) {
          const at = firsts + s * list;
          const i = load<usize>(at + 4 * I), endI = load<usize>(at + 4 * I, 4);
          const j = load<usize>(at + 4 * J), endJ = load<usize>(at + 4 * J, 4);
          addProducts(y + (i - members) / MEMBER * wide, i, endI, j, endJ, table, BLOCK * wide, wide, wide);
          if (kind && I != J) {
            addProducts(y + (j - members) / MEMBER * wide, j, endJ, i, endI, table, wide, BLOCK * wide, wide);
          }
        }
      }
    }
  }
  for (let s: usize = 0; s < samples; s++) {
    const first = load<usize>(firsts + s * list), end = load<usize>(firsts + s * list + 4 * blocks);
    addUp(first, end, y, out, wide, kind ? 1 : 2);
    // The distances are not needed any more.
    if (kind == 1) store<f64>(errors + s * NUMBER, influence(first, end, y, out, table, W, wide));
    if (kind == 2) store<f64>(errors + s * NUMBER, deleteOne(first, end, y, out, table, W, wide));
    y += (end - first) / MEMBER * wide;
    out += wide;
  }
}

/** The form of a sample: Σ w_a · y_a, times `scale`. */
function addUp(first: usize, end: usize, y: usize, out: usize, wide: usize, scale: f64): void {
  for (let v: usize = 0; v < wide; v += 3 * VECTOR) {
    let sum0 = f64x2.splat(0), sum1 = sum0, sum2 = sum0;
    for (let m = first, p = y + v; m < end; m += MEMBER, p += wide) {
      const w = f64x2.splat(load<f64>(m, 8) * scale);
      sum0 = f64x2.add(sum0, f64x2.mul(w, v128.load(p)));
      sum1 = f64x2.add(sum1, f64x2.mul(w, v128.load(p, VECTOR)));
      sum2 = f64x2.add(sum2, f64x2.mul(w, v128.load(p, 2 * VECTOR)));
    }
    v128.store(out + v, sum0);
    v128.store(out + v, sum1, VECTOR);
    v128.store(out + v, sum2, 2 * VECTOR);
  }
}

/** Slope weight of the later round of a vector; that of the earlier is its negative. */
// @ts-ignore: decorator
@inline
function weight(W: usize, v: usize): f64 {
  return <f64>(W - 1 - 2 * v) * 6 / (<f64>W * (<f64>W * <f64>W - 1));
}

/** @param scales scratch, a window wide. */
function influence(first: usize, end: usize, y: usize, form: usize, scales: usize, W: usize, wide: usize): f64 {
  const pairs = W >> 1;
  for (let v: usize = 0; v < pairs; v++) {
    const c = f64x2.replace_lane(f64x2.splat(-weight(W, v)), 0, weight(W, v));
    v128.store(scales + v * VECTOR, f64x2.div(c, v128.load(form + v * VECTOR)));
  }
  let squares: f64 = 0;
  for (let m = first; m < end; m += MEMBER, y += wide) {
    let change = f64x2.splat(0);
    for (let v: usize = 0; v < pairs; v++) {
      change = f64x2.add(change, f64x2.mul(v128.load(scales + v * VECTOR), v128.load(y + v * VECTOR)));
    }
    const sum = f64x2.extract_lane(change, 0) + f64x2.extract_lane(change, 1);
    squares += load<f64>(m, 8) * sum * sum;
  }
  return 2 * sqrt(squares);
}

/** @param scales scratch, a window wide. */
function deleteOne(first: usize, end: usize, y: usize, form: usize, scales: usize, W: usize, wide: usize): f64 {
  for (let v: usize = 0; v < wide; v += VECTOR) v128.store(scales + v, f64x2.div(f64x2.splat(2), v128.load(form + v)));
  let m: f64 = 0, sum: f64 = 0, squares: f64 = 0;
  for (let at = first, p = y; at < end; at += MEMBER, p += wide) {
    const w = load<f64>(at, 8), change = changeWithout(p, scales, W);
    m += w;
    sum += w * change;
    store<f64>(p, change);
  }
  for (let at = first, p = y; at < end; at += MEMBER, p += wide) {
    const change = load<f64>(p) - sum / m;
    squares += load<f64>(at, 8) * change * change;
  }
  return isFinite(sum) ? sqrt(squares * (m - 1) / m) : NaN;
}

/** The share of the form that is left without one copy of a member. */
// @ts-ignore: decorator
@inline
function shareLeft(y: usize, scale: usize): v128 {
  const left = f64x2.sub(f64x2.splat(1), f64x2.mul(v128.load(scale), v128.load(y)));
  return v128.and(left, f64x2.gt(left, f64x2.splat(1e-12)));
}

/**
 * Σ c ln x over the shares x that are left. Slope weights are an arithmetic series, so it is one logarithm: with P_v the
 * product of the first v + 1 shares, outermost first, and N that of all P_v, the innermost has power 1 in N, the next 2, ….
 */
function changeWithout(y: usize, scales: usize, W: usize): f64 {
  let P = f64x2.splat(1), N = P;
  for (let v: usize = 0; v < W >> 1; v++) {
    P = f64x2.mul(P, shareLeft(y + v * VECTOR, scales + v * VECTOR));
    N = f64x2.mul(N, P);
  }
  const later = f64x2.extract_lane(N, 0), earlier = f64x2.extract_lane(N, 1);
  if (min(later, earlier) > 1e-150) {
    const ratio = later / earlier;
    const powers = W & 1 ? ratio * ratio : ratio * ratio * (f64x2.extract_lane(P, 1) / f64x2.extract_lane(P, 0));
    return log(powers) * weight(W, 0) / <f64>(W - 1);
  }
  // Too small to multiply, or zero.
  let sum: f64 = 0;
  for (let v: usize = 0; v < W >> 1; v++) {
    const x = shareLeft(y + v * VECTOR, scales + v * VECTOR);
    sum += weight(W, v) * (log(f64x2.extract_lane(x, 0)) - log(f64x2.extract_lane(x, 1)));
  }
  return sum;
}

// Chance: xoroshiro128+, the generator of `core/rng.ts`.

let s0: u64 = 0, s1: u64 = 0;

export function seed(s01: u32, s00: u32, s11: u32, s10: u32): void {
  s0 = <u64>s01 << 32 | s00;
  s1 = <u64>s11 << 32 | s10;
}

/** Writes the next numbers, uniform in [0, 1), 53 bits; the state is in registers meanwhile. */
function draw(into: usize, count: usize): void {
  let a = s0, b = s1;
  for (const end = into + count * NUMBER; into < end; into += NUMBER) {
    const high = (a + b) & 0x3ffffff;
    b ^= a;
    a = rotl(a, 24) ^ b ^ b << 16;
    b = rotl(b, 37);
    const low = (a + b) & 0x7ffffff;
    b ^= a;
    a = rotl(a, 24) ^ b ^ b << 16;
    b = rotl(b, 37);
    store<f64>(into, <f64><i64>(high << 27 | low) * (1.0 / 9007199254740992.0));
  }
  s0 = a;
  s1 = b;
}

/** 2⁵², added to a small whole number to have it in the last bits. */
const WHOLE: f64 = 4503599627370496;

// Shuffled runs: `shuffledTotals` in `../permutation_null.ts`.

/** Runs whose sums are held in registers together. Missing ones in the last group have distance zero to all. */
const GROUP: usize = 4;
/** Up to how many outcomes one number decides: see `../resampling.ts`. */
const OUTCOMES: f64 = 2097152;

/**
 * Shuffles the rounds of all runs, once for each shuffle, and notes which stand in the window: `standing` has the byte
 * offset of the round in a row of the group's table, [groups][shuffles · W][GROUP].
 *
 * @param order u32 [groups · GROUP][T]. @param draws scratch for GROUP · T numbers.
 */
export function shuffle(order: usize, R: usize, T: usize, from: usize, W: usize, shuffles: usize, standing: usize, draws: usize): void {
  const group = shuffles * W * GROUP * 4, pitch = T + (T & 1), numbers = numbersOf(T) * NUMBER;
  for (let n: usize = 0; n < shuffles; n++) {
    for (let i: usize = 0; i < R; i += GROUP) {
      draw(draws, min(GROUP, R - i) * numbers / NUMBER);
      const row = order + i * T * 4, place = standing + i / GROUP * group + (n * W - from) * GROUP * 4;
      let outcomes: f64 = Infinity, at = draws, u = f64x2.splat(0), v = u;
      for (let left = T; left > 1; left--) {
        outcomes *= <f64>left;
        if (outcomes > OUTCOMES) {
          u = v128.load_lane<f64>(at + numbers, v128.load_zero<f64>(at), 1);
          v = v128.load_lane<f64>(at + 3 * numbers, v128.load_zero<f64>(at + 2 * numbers), 1);
          at += NUMBER;
          outcomes = <f64>left;
        }
        const x = f64x2.mul(u, f64x2.splat(<f64>left)), y = f64x2.mul(v, f64x2.splat(<f64>left));
        const a = f64x2.floor(x), b = f64x2.floor(y);
        u = f64x2.sub(x, a);
        v = f64x2.sub(y, b);
        const chosen = f64x2.add(a, f64x2.splat(WHOLE)), other = f64x2.add(b, f64x2.splat(WHOLE));
        const inside = left - 1 - from < W, last = row + (left - 1) * 4, into = place + (left - 1) * GROUP * 4;
        swap(last, row + <usize>i32x4.extract_lane(chosen, 0) * 4, inside, into, 0);
        swap(last + T * 4, row + (T + <usize>i32x4.extract_lane(chosen, 2)) * 4, inside, into + 4, pitch);
        swap(last + 2 * T * 4, row + (2 * T + <usize>i32x4.extract_lane(other, 0)) * 4, inside, into + 8, 2 * pitch);
        swap(last + 3 * T * 4, row + (3 * T + <usize>i32x4.extract_lane(other, 2)) * 4, inside, into + 12, 3 * pitch);
      }
      if (from == 0) {
        for (let k: usize = 0; k < GROUP; k++) store<usize>(place + k * 4, (load<usize>(row + k * T * 4) + k * pitch) * NUMBER);
      }
    }
  }
}

/** The count of random numbers that a Fisher-Yates shuffle takes. */
function numbersOf(T: usize): usize {
  let numbers: usize = 0, outcomes: f64 = Infinity;
  for (let left = T; left > 1; left--) {
    outcomes *= <f64>left;
    if (outcomes <= OUTCOMES) continue;
    outcomes = <f64>left;
    numbers++;
  }
  return numbers;
}

// @ts-ignore: decorator
@inline
function swap(last: usize, other: usize, inside: bool, into: usize, offset: usize): void {
  const chosen = load<usize>(other);
  store<usize>(other, load<usize>(last));
  store<usize>(last, chosen);
  if (inside) store<usize>(into, (chosen + offset) * NUMBER);
}

/** Distances between every round of the runs of two groups, [i][round of i][j][round of j]; zero unless i < j < R. */
function fillRounds(table: usize, states: usize, R: usize, K: usize, T: usize, I: usize, J: usize): void {
  const pitch = T + (T & 1), wide = pitch * NUMBER;
  memory.fill(table, 0, GROUP * GROUP * pitch * wide);
  for (let i = I; i < min(R, I + GROUP); i++) {
    for (let t: usize = 0; t < T; t++) {
      for (let j = max(i + 1, J); j < min(R, J + GROUP); j++) {
        const into = table + (((i - I) * pitch + t) * GROUP + j - J) * wide;
        const a = states + i * K * wide + t * NUMBER, b = states + j * K * wide;
        for (let v: usize = 0; v < wide; v += VECTOR) {
          let sum = f64x2.splat(0);
          for (let k: usize = 0; k < K; k++) {
            const difference = f64x2.sub(v128.load_splat<f64>(a + k * wide), v128.load(b + v + k * wide));
            sum = f64x2.add(sum, f64x2.mul(difference, difference));
          }
          v128.store(into + v, f64x2.sqrt(sum));
        }
      }
    }
  }
}

/** Two distances of one run i, to the runs at two offsets. */
// @ts-ignore: decorator
@inline
function pair(head: usize, one: usize, two: usize): v128 {
  return v128.load_lane<f64>(head + two, v128.load_zero<f64>(head + one), 1);
}

/** Adds the distances between two different groups to both their sums. */
function addBetween(table: usize, stride: usize, a: usize, b: usize, sumsA: usize, sumsB: usize, places: usize): void {
  for (let p: usize = 0; p < places; p++) {
    const h0 = table + load<usize>(a) * stride, h1 = table + load<usize>(a, 4) * stride;
    const h2 = table + load<usize>(a, 8) * stride, h3 = table + load<usize>(a, 12) * stride;
    let s01 = v128.load(sumsA), s23 = v128.load(sumsA, VECTOR);
    for (let half: usize = 0; half < 2; half++) {
      const both = load<u64>(b), one = <usize>(both & 0xffffffff), two = <usize>(both >> 32);
      const d0 = pair(h0, one, two), d1 = pair(h1, one, two), d2 = pair(h2, one, two), d3 = pair(h3, one, two);
      v128.store(sumsB, f64x2.add(f64x2.add(f64x2.add(f64x2.add(v128.load(sumsB), d0), d1), d2), d3));
      s01 = f64x2.add(f64x2.add(s01, v128.shuffle<f64>(d0, d1, 0, 2)), v128.shuffle<f64>(d0, d1, 1, 3));
      s23 = f64x2.add(f64x2.add(s23, v128.shuffle<f64>(d2, d3, 0, 2)), v128.shuffle<f64>(d2, d3, 1, 3));
      b += 8;
      sumsB += VECTOR;
    }
    v128.store(sumsA, s01);
    v128.store(sumsA, s23, VECTOR);
    a += 4 * GROUP;
    sumsA += 2 * VECTOR;
  }
}

/** Adds the six distances within a group to its sums. */
function addWithin(table: usize, stride: usize, a: usize, sums: usize, places: usize): void {
  for (let p: usize = 0; p < places; p++) {
    const one = load<usize>(a, 4), two = load<usize>(a, 8), three = load<usize>(a, 12);
    const h0 = table + load<usize>(a) * stride, h1 = table + one * stride, h2 = table + two * stride;
    const d01 = load<f64>(h0 + one), d02 = load<f64>(h0 + two), d03 = load<f64>(h0 + three);
    const d12 = load<f64>(h1 + two), d13 = load<f64>(h1 + three), d23 = load<f64>(h2 + three);
    store<f64>(sums, load<f64>(sums) + d01 + d02 + d03);
    store<f64>(sums, load<f64>(sums, 8) + d01 + d12 + d13, 8);
    store<f64>(sums, load<f64>(sums, 16) + d02 + d12 + d23, 16);
    store<f64>(sums, load<f64>(sums, 24) + d03 + d13 + d23, 24);
    a += 4 * GROUP;
    sums += 2 * VECTOR;
  }
}

/** For every run the sum of its distances to the others at every place, [groups][places][GROUP]. */
export function addSums(states: usize, R: usize, K: usize, T: usize, standing: usize, places: usize, table: usize, sums: usize): void {
  const stride = GROUP * (T + (T & 1)), groups = (R + GROUP - 1) / GROUP;
  const standingBytes = places * GROUP * 4, sumsBytes = places * GROUP * NUMBER;
  memory.fill(sums, 0, groups * sumsBytes);
  for (let I: usize = 0; I < groups; I++) {
    for (let J = I; J < groups; J++) {
      fillRounds(table, states, R, K, T, I * GROUP, J * GROUP);
      const a = standing + I * standingBytes, sumsA = sums + I * sumsBytes;
      if (I == J) addWithin(table, stride, a, sumsA, places);
      else addBetween(table, stride, a, standing + J * standingBytes, sumsA, sums + J * sumsBytes, places);
    }
  }
}

/** Totals over the runs, [shuffles][W], and influence errors, [shuffles]. */
export function addTotals(sums: usize, R: usize, W: usize, shuffles: usize, totals: usize, errors: usize): void {
  const groups = (R + GROUP - 1) / GROUP, bytes = shuffles * W * GROUP * NUMBER;
  const spread = <f64>W * (<f64>W * <f64>W - 1) / 12;
  for (let n: usize = 0; n < shuffles; n++, sums += W * GROUP * NUMBER, totals += W * NUMBER) {
    for (let w: usize = 0; w < W; w++) {
      let total: f64 = 0;
      for (let g: usize = 0, at = sums + w * GROUP * NUMBER; g < groups; g++, at += bytes) {
        total = total + load<f64>(at) + load<f64>(at, 8) + load<f64>(at, 16) + load<f64>(at, 24);
      }
      store<f64>(totals + w * NUMBER, total);
    }
    let squares = f64x2.splat(0);
    for (let g: usize = 0, at = sums; g < groups; g++, at += bytes - W * GROUP * NUMBER) {
      let one = f64x2.splat(0), two = one;
      for (let w: usize = 0; w < W; w++, at += GROUP * NUMBER) {
        const scale = f64x2.splat((<f64>w - <f64>(W - 1) / 2) / spread / load<f64>(totals + w * NUMBER));
        one = f64x2.add(one, f64x2.mul(scale, v128.load(at)));
        two = f64x2.add(two, f64x2.mul(scale, v128.load(at, VECTOR)));
      }
      squares = f64x2.add(squares, f64x2.add(f64x2.mul(one, one), f64x2.mul(two, two)));
    }
    store<f64>(errors + n * NUMBER, 2 * sqrt(f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1)));
  }
}

// Walks: `walkTotals` in `../diffusive_null.ts`.

/**
 * Sums of distances over all pairs, [walks] vectors, of runs with the same starts and steps in random order and either way.
 *
 * @param steps [R][T][K], the first of a run its start. @param states scratch, [R][K] vectors. @param left scratch, u32 [T].
 * @param draws scratch for T numbers.
 */
export function walk(steps: usize, R: usize, K: usize, T: usize, from: usize, W: usize, walks: usize, states: usize, left: usize, draws: usize, totals: usize): void {
  const wide = (W + (W & 1)) * NUMBER, run = K * wide;
  for (let n: usize = 0; n < walks; n++, totals += wide) {
    for (let i: usize = 0; i < R; i++) {
      const own = steps + i * T * K * NUMBER;
      let place = states + i * run;
      // Until the window begins a run goes on where its first round will stand.
      for (let k: usize = 0; k < K; k++) store<f64>(place + k * wide, load<f64>(own + k * NUMBER));
      for (let t: usize = 1; t < T; t++) store<usize>(left + t * 4, t);
      draw(draws, T - 1);
      // Three options, as all published packets have, stay in registers.
      let x = load<f64>(own), y = load<f64>(own, NUMBER), z = load<f64>(own, 2 * NUMBER);
      for (let t: usize = 1; t < min(T, from + W); t++) {
        const choice = <usize>reinterpret<u64>(floor(<f64>(2 * (T - t)) * load<f64>(draws + (t - 1) * NUMBER)) + WHOLE);
        const at = left + (choice >> 1) * 4 + 4;
        // 1 where the choice is odd, else -1: as bits, since half of all branches would be guessed wrong.
        const sign = reinterpret<f64>(reinterpret<u64>(<f64>-1) ^ (<u64>choice << 63));
        let step = own + load<usize>(at) * K * NUMBER, before = place;
        store<usize>(at, load<usize>(left + (T - t) * 4));
        if (t > from) place += NUMBER;
        if (K == 3) {
          store<f64>(place, x += sign * load<f64>(step));
          store<f64>(place + wide, y += sign * load<f64>(step, NUMBER));
          store<f64>(place + wide + wide, z += sign * load<f64>(step, 2 * NUMBER));
          continue;
        }
        for (let k: usize = 0, p = place; k < K; k++, p += wide, before += wide, step += NUMBER) {
          store<f64>(p, load<f64>(before) + sign * load<f64>(step));
        }
      }
    }
    addPairs(states, R, K, wide, totals);
  }
}

/** Sums of distances over all pairs, two at a time. */
function addPairs(states: usize, R: usize, K: usize, wide: usize, totals: usize): void {
  const run = K * wide;
  for (let v: usize = 0; v < wide; v += VECTOR) {
    let total = f64x2.splat(0);
    for (let i: usize = 1; i < R; i++) {
      const a = states + i * run + v;
      for (let b = states + v; b < a; b += 2 * run) {
        let one = f64x2.splat(0), two = one;
        for (let k: usize = 0, p = a, q = b; k < K; k++, p += wide, q += wide) {
          const own = v128.load(p), first = f64x2.sub(own, v128.load(q)), second = f64x2.sub(own, v128.load(q + run));
          one = f64x2.add(one, f64x2.mul(first, first));
          two = f64x2.add(two, f64x2.mul(second, second));
        }
        // Where the second is the run itself, its distance is zero.
        total = f64x2.add(f64x2.add(total, f64x2.sqrt(one)), f64x2.sqrt(two));
      }
    }
    v128.store(totals + v, total);
  }
}
