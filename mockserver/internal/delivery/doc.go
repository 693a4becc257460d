// Package delivery gives out files: it lays them out, keeps the layouts of those
// asked for last, names and links their parts, and says when a file can no
// longer be made.
package delivery
