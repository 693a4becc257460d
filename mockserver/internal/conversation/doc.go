// Package conversation reads written-down conversations with an export service: steps that send a request, wait, or ask
// again until something is so, with what is kept of an answer for later steps, and what is expected of it by meaning.
//
// They are YAML or JSON files, described by schemas/mock/conversation.json. Those in the folder default are in the
// program; users have others in a directory of their own. A player asks a service what they ask.
package conversation
