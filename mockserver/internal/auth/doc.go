// Package auth knows who may do what: the credentials of the two interfaces of
// the export API (section 5), and who may use the control API.
package auth
