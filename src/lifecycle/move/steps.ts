import type { MoveSteps } from "../../contract/move.ts";
import type { Refusal } from "../../contract/refusal.ts";
import type { Services } from "../../core/services.ts";
import * as both from "./both.ts";
import * as reading from "./read-source.ts";
import * as source from "./source.ts";
import * as target from "./target.ts";

/** The steps of a move that a cell runs for the front. */
export const moveSteps: {
  [N in keyof MoveSteps]: (services: Services, input: MoveSteps[N][0]) => Promise<MoveSteps[N][1] | Refusal>;
} = {
  cell: both.readFactsOfCell,
  underWay: async (services, { id }) => ({ moves: await source.movesFrom(services, id) }),
  take: async (services, mover) => ({ isTaken: await source.takeMove(services, mover) }),
  read: reading.readForCopy,
  quiet: source.quietMove,
  close: source.closeMove,
  hide: source.hideMove,
  readImage: both.readMovedImage,
  readKept: reading.readKept,
  factsOf: reading.readFacts,
  lateRequests: reading.lateRequests,
  eraseSource: source.eraseSource,
  goBack: source.goBack,
  settle: source.settleMove,
  end: source.endMove,
  openCopy: target.openCopy,
  apply: target.applyPart,
  putImage: both.putImage,
  dropImages: both.dropImages,
  keepKept: target.keepKept,
  finish: target.finishCopy,
  addRequests: target.addRequests,
  discard: target.discardCopy,
  sums: both.sumRows,
  images: both.listImages,
  leftovers: both.findLeftovers,
};
