// Package learn finds the settings under which the synthetic world resembles
// the base that export files tell of.
//
// It counts what the files say, person by person, makes files of the same kinds
// from a world with the settings that follow, counts those the same way, and
// corrects the settings by the difference. So whatever a count is biased by (the
// edges of a window, consent that changed since, people who do much) cancels out,
// and the last of these worlds is what the report compares the base with.
//
// Nothing leaves the package that fewer than a number of people share: no value,
// and no share of a cell with fewer of them. What is learned are numbers about
// many people, and words that many people have.
// See docs/explanation/learning.md
package learn
