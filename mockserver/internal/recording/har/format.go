package har

// Version is that of the format.
const Version = "1.2"

// entry is a request and its answer: the members that are read or written here.
type entry struct {
	Started  string   `json:"startedDateTime"`
	Time     float64  `json:"time"`
	Request  request  `json:"request"`
	Response response `json:"response"`
	Cache    struct{} `json:"cache"`
	Timings  timings  `json:"timings"`
}

// pair is a header, or a parameter of a query or a form.
type pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// message is what requests and answers have in common.
type message struct {
	Protocol    string     `json:"httpVersion"`
	Cookies     []struct{} `json:"cookies"` // never any
	Headers     []pair     `json:"headers"`
	HeadersSize int64      `json:"headersSize"` // -1: not known
	BodySize    int64      `json:"bodySize"`
}

type request struct {
	message
	Method string `json:"method"`
	URL    string `json:"url"`
	Query  []pair `json:"queryString"`
	Body   *text  `json:"postData,omitempty"`
}

type response struct {
	message
	Status   int    `json:"status"`
	Reason   string `json:"statusText"`
	Redirect string `json:"redirectURL"`
	Content  text   `json:"content"`
}

// text is a body. Of requests, it has no size and no encoding.
type text struct {
	Size     *int64  `json:"size,omitempty"`
	Type     string  `json:"mimeType"`
	Text     *string `json:"text,omitempty"`
	Encoding string  `json:"encoding,omitempty"`
	// Params are those of a form, where a tool has taken it apart.
	Params []pair `json:"params,omitempty"`
	// File is where some tools put a body instead.
	File string `json:"_file,omitempty"`
}

type timings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}
