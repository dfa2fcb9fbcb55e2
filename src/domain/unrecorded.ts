/**
 * The answer of work that is done for good although the database could not be told: the claim keeps it, and the row
 * is written afterwards, at the latest by a replay.
 */
export class Unrecorded {
  readonly answer: object;

  constructor(answer: object) {
    this.answer = answer;
  }
}
