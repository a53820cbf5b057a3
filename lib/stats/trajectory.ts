/**
 * One run's path: [T][K], the committee's mean preference for each of K options after each of T rounds.
 * Index 0 is round 1.
 */
export type Trajectory = readonly (readonly number[])[];
