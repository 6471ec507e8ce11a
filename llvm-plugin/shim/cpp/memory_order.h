// Values of all components of some points, in the order of memory: see memory_order.cpp.

#pragma once

#include "lane_groups.h"
#include "lane_network.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

#include <map>

/// How the tuples that stores need come about in the order of memory.
class MemoryOrder {
public:
  /// What it costs to have a tuple that cannot be had.
  static constexpr unsigned Impossible = 1 << 20;

  MemoryOrder(llvm::BasicBlock &Block, GroupKind Kind, const LaneNetwork &Network)
      : Block(Block), Kind(Kind), Network(Network) {}

  /// Whether tuples of sums and differences are taken for operations. All is decided anew.
  void mix(bool Wanted) {
    Mixes = Wanted;
    Decided.clear();
  }

  /// Adds the components of a load.
  void addLoad(const LaneGroup &Group);

  /// What a tuple costs, by the shuffles that it needs.
  unsigned costOf(const LaneTuple &Tuple) { return decide(Tuple, 0).Cost; }

  /// What it costs to bring a tuple from the order of points.
  unsigned costFromPoints() const;

  /// The part of that which is not for tuples from the order of points.
  unsigned ownCostOf(const LaneTuple &Tuple);

  /// Adds the tuples that one is computed from and that are brought from the order of points.
  void addFromPoints(const LaneTuple &Tuple, llvm::SmallVectorImpl<LaneTuple> &Found);

  /// Writes a tuple, which is not impossible; a value of another order of lanes than that of
  /// the points inside is given by the function.
  LaneTuple build(llvm::IRBuilder<> &Builder, const LaneTuple &Tuple,
                  llvm::function_ref<llvm::Value *(llvm::Value *)> OfPoints);

  /// A vector of a stage, from those before it.
  static llvm::Value *shuffled(llvm::IRBuilder<> &Builder, const LanePattern &Pattern,
                               llvm::ArrayRef<llvm::Value *> From);
  static LaneTuple throughStage(llvm::IRBuilder<> &Builder, const LaneStage &Stage,
                                llvm::ArrayRef<llvm::Value *> From);

private:
  enum class Form { Loaded, Turned, Same, Operation, FromPoints };
  struct Decision {
    Form Is = Form::FromPoints;
    unsigned Cost = Impossible;
  };

  Decision decide(const LaneTuple &Tuple, unsigned Depth);
  unsigned costOfOperation(const LaneTuple &Tuple, unsigned Depth);
  const LaneGroup *loadOf(const LaneTuple &Tuple) const;
  bool isOperation(const LaneTuple &Tuple) const;
  std::optional<llvm::SmallVector<LaneTuple, 3>> operandsOf(const LaneTuple &Tuple) const;
  bool isTurned(const LaneTuple &Tuple) const;
  LaneTuple buildTurned(llvm::IRBuilder<> &Builder, const LaneTuple &Tuple);
  LaneTuple buildOperation(llvm::IRBuilder<> &Builder, const LaneTuple &Tuple,
                           llvm::ArrayRef<LaneTuple> Operands);
  bool isAlike(llvm::Value *A, llvm::Value *B) const;
  LaneTuple buildSame(const LaneTuple &Tuple);

  llvm::BasicBlock &Block;
  GroupKind Kind;
  const LaneNetwork &Network;
  bool Mixes = false;
  llvm::DenseMap<llvm::Value *, std::pair<const LaneGroup *, unsigned>> Components;
  std::map<LaneTuple, Decision> Decided;
  std::map<LaneTuple, LaneTuple> Built;
};
