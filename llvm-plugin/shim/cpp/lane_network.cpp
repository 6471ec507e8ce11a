// Networks of shuffles between interleaved elements and vectors.
//
// Problem. The elements of L points with s components each lie in memory one
// point after the other, in s vectors of L lanes. Wanted are s vectors, each with
// one component of all points, by few and cheap shuffles. The lanes may have any
// order of points, as long as it is the same for all components: what is computed
// of each point by itself does not see it, and the inverse network brings results
// back to the order of memory.
//
// Registers of more than 128 bits have parts of 128 bits (`Near` lanes); shuffles
// within these are fast on all processors, those across them often are not. A
// choice (blend) of each lane from one of two vectors is the cheapest one.
//
// 1. While vectors whose lanes have the same components can be paired, each pair
//    is split (unpacked): where lanes of a part have different components, the even
//    and the odd lanes of each part; else the even and the odd parts. With every
//    split a factor two of s is gone.
// 2. An odd factor t is left: t vectors have t components, and in each lane
//    another one has the component c. So t - 1 choices make it.
// 3. Components whose points are in another order than those of the first one are
//    permuted.
//
// s = 2, L = 4, Near = 2:  x0 y0 x1 y1 | x2 y2 x3 y3  ->  x0 x2 x1 x3 | y0 y2 y1 y3
// s = 3, L = 4:            x0 y0 z0 x1 | y1 z1 x2 y2 | z2 x3 y3 z3
//                      ->  x0 x3 x2 x1 | y1 y0 y3 y2 | z2 z1 z0 z3, then y and z turned
//
// Every stage is a bijection of lanes, so that its inverse is one, too.

#include "lane_network.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace llvm;

namespace {

/// An element: a component of a point.
struct LaneElement {
  unsigned Component, Point;
};

using LaneVectors = SmallVector<SmallVector<LaneElement, 16>, 4>;

/// Most stages: each split takes a factor two of the components.
constexpr unsigned MaxStages = 5;

bool isUniform(ArrayRef<LaneElement> Lanes) {
  return all_of(Lanes, [&](const LaneElement &Element) {
    return Element.Component == Lanes[0].Component;
  });
}

/// The vectors with the same components in their lanes, in order.
SmallVector<SmallVector<unsigned, 4>, 4> classesOf(const LaneVectors &Vectors) {
  std::map<SmallVector<unsigned, 16>, SmallVector<unsigned, 4>> Classes;
  for (auto [Number, Vector] : enumerate(Vectors)) {
    SmallVector<unsigned, 16> Components;
    for (const LaneElement &Element : Vector)
      Components.push_back(Element.Component);
    Classes[Components].push_back(Number);
  }
  SmallVector<SmallVector<unsigned, 4>, 4> Result;
  for (auto &Class : Classes)
    Result.push_back(Class.second);
  return Result;
}

/// What a stage makes of vectors.
LaneVectors applied(const LaneStage &Stage, const LaneVectors &Vectors) {
  LaneVectors Result(Stage.size());
  for (auto [Number, Pattern] : enumerate(Stage))
    for (LaneSource Source : Pattern)
      Result[Number].push_back(Vectors[Source.Vector][Source.Lane]);
  return Result;
}

/// The even or the odd ones of units of lanes, in each part of `Width` lanes those
/// of the first vector before those of the second one.
LanePattern half(std::pair<unsigned, unsigned> Pair, unsigned Odd, unsigned Lanes,
                 unsigned Width, unsigned Unit) {
  LanePattern Result;
  for (unsigned Part = 0; Part < Lanes; Part += Width)
    for (unsigned Vector : {Pair.first, Pair.second})
      for (unsigned At = Odd * Unit; At < Width; At += 2 * Unit)
        for (unsigned Lane = 0; Lane < Unit; ++Lane)
          Result.push_back({Vector, Part + At + Lane});
  return Result;
}

/// Step 1; nothing if some vector has no partner.
std::optional<LaneStage> splitStage(const LaneVectors &Vectors, unsigned Near) {
  unsigned Lanes = Vectors[0].size();
  LaneStage Stage(Vectors.size());
  for (ArrayRef<unsigned> Class : classesOf(Vectors)) {
    if (Class.size() % 2 != 0)
      return std::nullopt;
    ArrayRef<LaneElement> All = Vectors[Class[0]];
    bool IsInside = false;
    for (unsigned Part = 0; Part < Lanes; Part += Near)
      IsInside |= !isUniform(All.slice(Part, Near));
    unsigned Width = IsInside ? Near : Lanes, Unit = IsInside ? 1 : Near;
    if (Width < 2 * Unit)
      return std::nullopt;
    for (unsigned Number = 0; Number < Class.size() / 2; ++Number) {
      std::pair<unsigned, unsigned> Pair(Class[Number], Class[Number + Class.size() / 2]);
      Stage[Pair.first] = half(Pair, 0, Lanes, Width, Unit);
      Stage[Pair.second] = half(Pair, 1, Lanes, Width, Unit);
    }
  }
  return Stage;
}

/// Step 2 for the vectors with these components, of which there must be as many.
bool chooseAmong(ArrayRef<unsigned> Numbers, ArrayRef<unsigned> Components,
                 const LaneVectors &Vectors, LaneStage &Stage) {
  if (Numbers.size() != Components.size())
    return false;
  for (auto [Number, Component] : zip(Numbers, Components))
    for (unsigned Lane = 0; Lane < Vectors[0].size(); ++Lane) {
      auto *From = find_if(Numbers, [&, C = Component](unsigned Vector) {
        return Vectors[Vector][Lane].Component == C;
      });
      if (From == Numbers.end())
        return false;
      Stage[Number].push_back({*From, Lane});
    }
  return true;
}

/// Step 2.
std::optional<LaneStage> choiceStage(const LaneVectors &Vectors) {
  LaneStage Stage(Vectors.size());
  SmallVector<bool, 8> Done(Vectors.size());
  for (unsigned First = 0; First < Vectors.size(); ++First) {
    if (Done[First])
      continue;
    // The vectors that share components with each other, and these.
    SmallVector<unsigned, 4> Numbers{First}, Components;
    Done[First] = true;
    for (unsigned At = 0; At < Numbers.size(); ++At)
      for (const LaneElement &Element : Vectors[Numbers[At]]) {
        if (is_contained(Components, Element.Component))
          continue;
        Components.push_back(Element.Component);
        for (auto [Number, Vector] : enumerate(Vectors))
          if (!Done[Number] && any_of(Vector, [&](const LaneElement &Other) {
                return Other.Component == Element.Component;
              })) {
            Done[Number] = true;
            Numbers.push_back(Number);
          }
      }
    sort(Numbers);
    sort(Components);
    if (!chooseAmong(Numbers, Components, Vectors, Stage))
      return std::nullopt;
  }
  return Stage;
}

/// Step 3, which also gives the vectors the numbers of their components.
std::optional<LaneStage> alignStage(const LaneVectors &Vectors) {
  LaneStage Stage(Vectors.size());
  auto *First = find_if(Vectors, [](auto &Vector) { return Vector[0].Component == 0; });
  if (First == Vectors.end())
    return std::nullopt;
  for (auto [Number, Vector] : enumerate(Vectors))
    for (const LaneElement &Wanted : *First) {
      auto *At = find_if(Vector, [&](const LaneElement &Element) {
        return Element.Point == Wanted.Point;
      });
      if (At == Vector.end())
        return std::nullopt;
      Stage[At->Component].push_back({unsigned(Number), unsigned(At - Vector.begin())});
    }
  if (any_of(Stage, [&](const LanePattern &P) { return P.size() != First->size(); }))
    return std::nullopt;
  return Stage;
}

} // namespace

std::optional<LaneNetwork> laneNetwork(unsigned Components, unsigned Lanes,
                                       unsigned Near) {
  Near = std::min(Near, Lanes);
  if (Near == 0 || Lanes % Near != 0)
    return std::nullopt;
  LaneVectors Vectors(Components);
  for (unsigned At = 0; At < Components * Lanes; ++At)
    Vectors[At / Lanes].push_back({At % Components, At / Components});
  LaneNetwork Network;
  auto Add = [&](std::optional<LaneStage> Stage) {
    if (Stage) {
      Vectors = applied(*Stage, Vectors);
      Network.Stages.push_back(std::move(*Stage));
    }
    return bool(Stage);
  };
  while (!all_of(Vectors, [](auto &Vector) { return isUniform(Vector); }))
    if (Network.Stages.size() == MaxStages ||
        (!Add(splitStage(Vectors, Near)) && !Add(choiceStage(Vectors))))
      return std::nullopt;
  if (!Add(alignStage(Vectors)))
    return std::nullopt;
  for (const LaneElement &Element : Vectors[0])
    Network.Order.push_back(Element.Point);
  return Network;
}

LaneStage inverse(const LaneStage &Stage) {
  LaneStage Result(Stage.size(), LanePattern(Stage[0].size()));
  for (auto [Number, Pattern] : enumerate(Stage))
    for (auto [Lane, Source] : enumerate(Pattern))
      Result[Source.Vector][Source.Lane] = {unsigned(Number), unsigned(Lane)};
  return Result;
}

LaneStage naturalStage(unsigned Components, unsigned Lanes) {
  LaneStage Stage(Components);
  for (unsigned At = 0; At < Components * Lanes; ++At)
    Stage[At % Components].push_back({At / Lanes, At % Lanes});
  return Stage;
}

bool isWhole(const LanePattern &Pattern) {
  return all_of(enumerate(Pattern), [&](auto Indexed) {
    LaneSource Source = Indexed.value();
    return Source.Vector == Pattern[0].Vector && Source.Lane == Indexed.index();
  });
}

SmallVector<unsigned, 4> vectorsOf(const LanePattern &Pattern) {
  SmallVector<unsigned, 4> Result;
  for (LaneSource Source : Pattern)
    if (!is_contained(Result, Source.Vector))
      Result.push_back(Source.Vector);
  return Result;
}

unsigned patternCost(const LanePattern &Pattern, unsigned Near) {
  if (isWhole(Pattern))
    return 0;
  bool IsChoice = true, IsNear = true;
  for (auto [Lane, Source] : enumerate(Pattern)) {
    IsChoice &= Source.Lane == Lane;
    IsNear &= Source.Lane / Near == Lane / Near;
  }
  unsigned Vectors = vectorsOf(Pattern).size();
  unsigned Unit = IsChoice ? 1 : IsNear ? 2 : Vectors == 1 ? 3 : 4;
  return Unit * std::max(1u, Vectors - 1);
}

unsigned networkCost(ArrayRef<LaneStage> Stages, ArrayRef<bool> Wanted,
                     unsigned Near) {
  SmallVector<bool, 8> Needed(Wanted);
  unsigned Cost = 0;
  for (const LaneStage &Stage : reverse(Stages)) {
    SmallVector<bool, 8> Before(Stage.size());
    for (auto [Pattern, IsNeeded] : zip(Stage, Needed)) {
      if (!IsNeeded)
        continue;
      Cost += patternCost(Pattern, Near);
      for (unsigned Vector : vectorsOf(Pattern))
        Before[Vector] = true;
    }
    Needed = Before;
  }
  return Cost;
}
