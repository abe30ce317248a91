// The methods of types of Go's standard library that are often embedded: a type or interface has those of what it embeds.

const table = `
ast.File End Pos
ast.Node End Pos
ast.Visitor Visit
atomic.Bool CompareAndSwap Load Store Swap
atomic.Int32 Add CompareAndSwap Load Store Swap
atomic.Int64 Add CompareAndSwap Load Store Swap
atomic.Pointer CompareAndSwap Load Store Swap
atomic.Uint64 Add CompareAndSwap Load Store Swap
atomic.Value CompareAndSwap Load Store Swap
big.Float Abs Acc Add Append Cmp Copy Float32 Float64 Format GobDecode GobEncode Int Int64 IsInf IsInt MantExp MarshalText MinPrec Mode Mul Neg Parse Prec Quo Rat Scan Set SetFloat64 SetInf SetInt SetInt64 SetMantExp SetMode SetPrec SetRat SetString SetUint64 Sign Signbit Sqrt String Sub Text Uint64 UnmarshalText
big.Int Abs Add And AndNot Append Binomial Bit BitLen Bits Bytes Cmp CmpAbs Div DivMod Exp FillBytes Format GCD GobDecode GobEncode Int64 IsInt64 IsUint64 Lsh MarshalJSON MarshalText Mod ModInverse ModSqrt Mul MulRange Neg Not Or ProbablyPrime Quo QuoRem Rand Rem Rsh Scan Set SetBit SetBits SetBytes SetInt64 SetString SetUint64 Sign Sqrt String Sub Text TrailingZeroBits Uint64 UnmarshalJSON UnmarshalText Xor
big.Rat Abs Add Cmp Denom Float32 Float64 FloatString GobDecode GobEncode Inv IsInt MarshalText Mul Neg Num Quo RatString Scan Set SetFloat64 SetFrac SetFrac64 SetInt SetInt64 SetString SetUint64 Sign String Sub UnmarshalText
binary.ByteOrder PutUint16 PutUint32 PutUint64 String Uint16 Uint32 Uint64
bufio.ReadWriter Available AvailableBuffer Discard Flush Peek Read ReadByte ReadBytes ReadFrom ReadLine ReadRune ReadSlice ReadString UnreadByte UnreadRune Write WriteByte WriteRune WriteString WriteTo
bufio.Reader Buffered Discard Peek Read ReadByte ReadBytes ReadLine ReadRune ReadSlice ReadString Reset Size UnreadByte UnreadRune WriteTo
bufio.Scanner Buffer Bytes Err Scan Split Text
bufio.Writer Available AvailableBuffer Buffered Flush ReadFrom Reset Size Write WriteByte WriteRune WriteString
bytes.Buffer Available AvailableBuffer Bytes Cap Grow Len Next Peek Read ReadByte ReadBytes ReadFrom ReadRune ReadString Reset String Truncate UnreadByte UnreadRune Write WriteByte WriteRune WriteString WriteTo
bytes.Reader Len Read ReadAt ReadByte ReadRune Reset Seek Size UnreadByte UnreadRune WriteTo
cipher.AEAD NonceSize Open Overhead Seal
cipher.Block BlockSize Decrypt Encrypt
cipher.Stream XORKeyStream
color.Color RGBA
context.Context Deadline Done Err Value
crypto.Signer Public Sign
csv.Reader FieldPos InputOffset Read ReadAll
csv.Writer Error Flush Write WriteAll
driver.Valuer Value
elf.File Close DWARF DynString DynamicSymbols ImportedLibraries ImportedSymbols Section SectionByType Symbols
encoding.BinaryMarshaler MarshalBinary
encoding.BinaryUnmarshaler UnmarshalBinary
encoding.TextMarshaler MarshalText
encoding.TextUnmarshaler UnmarshalText
error Error
exec.Cmd CombinedOutput Environ Output Run Start StderrPipe StdinPipe StdoutPipe String Wait
expvar.Var String
flag.Flag
flag.FlagSet Arg Args Bool BoolVar Duration DurationVar ErrorHandling Float64 Float64Var Func Init Int Int64 Int64Var IntVar Lookup NArg NFlag Name Output Parse Parsed PrintDefaults Set SetOutput String StringVar TextVar Uint Uint64 Uint64Var UintVar Var Visit VisitAll
flag.Value Set String
fmt.Formatter Format
fmt.State Flag Precision Width Write
fmt.Stringer String
fs.DirEntry Info IsDir Name Type
fs.FS Open
fs.File Close Read Stat
fs.FileInfo IsDir ModTime Mode Name Size Sys
fs.FileMode IsDir IsRegular Perm String Type
fs.GlobFS Glob Open
fs.PathError Error Timeout Unwrap
fs.ReadDirFS Open ReadDir
fs.ReadDirFile Close Read ReadDir Stat
fs.ReadFileFS Open ReadFile
fs.StatFS Open Stat
fs.SubFS Open Sub
gob.Decoder Decode DecodeValue
gob.Encoder Encode EncodeValue
gob.GobDecoder GobDecode
gob.GobEncoder GobEncode
gzip.Reader Close Multistream Read Reset
gzip.Writer Close Flush Reset Write
hash.Hash BlockSize Reset Size Sum Write
hash.Hash32 BlockSize Reset Size Sum Sum32 Write
hash.Hash64 BlockSize Reset Size Sum Sum64 Write
heap.Interface Len Less Pop Push Swap
http.Client CloseIdleConnections Do Get Head Post PostForm
http.Cookie String Valid
http.CookieJar Cookies SetCookies
http.File Close Read Readdir Seek Stat
http.FileSystem Open
http.Flusher Flush
http.Handler ServeHTTP
http.HandlerFunc ServeHTTP
http.Header Add Clone Del Get Set Values Write WriteSubset
http.Hijacker Hijack
http.Pusher Push
http.Request AddCookie BasicAuth Clone Context Cookie Cookies CookiesNamed FormFile FormValue MultipartReader ParseForm ParseMultipartForm PathValue PostFormValue ProtoAtLeast Referer SetBasicAuth SetPathValue UserAgent WithContext Write WriteProxy
http.Response Cookies Location ProtoAtLeast Write
http.ResponseController EnableFullDuplex Flush Hijack SetReadDeadline SetWriteDeadline
http.ResponseWriter Header Write WriteHeader
http.RoundTripper RoundTrip
http.ServeMux Handle HandleFunc Handler ServeHTTP
http.Server Close ListenAndServe ListenAndServeTLS RegisterOnShutdown Serve ServeTLS SetKeepAlivesEnabled Shutdown
http.Transport CancelRequest Clone CloseIdleConnections RegisterProtocol RoundTrip
httptest.ResponseRecorder Flush Header Result Write WriteHeader WriteString
httptest.Server Certificate Client Close CloseClientConnections Start StartTLS
image.Image At Bounds ColorModel
image.Point Add Div Eq In Mod Mul String Sub
image.RGBA At Bounds ColorModel Opaque PixOffset RGBA64At RGBAAt Set SetRGBA SetRGBA64 SubImage
image.Rectangle Add At Bounds Canon ColorModel Dx Dy Empty Eq In Inset Intersect Overlaps RGBA64At Size String Sub Union
io.ByteReader ReadByte
io.ByteScanner ReadByte UnreadByte
io.ByteWriter WriteByte
io.Closer Close
io.LimitedReader Read
io.PipeReader Close CloseWithError Read
io.PipeWriter Close CloseWithError Write
io.ReadCloser Close Read
io.ReadSeekCloser Close Read Seek
io.ReadSeeker Read Seek
io.ReadWriteCloser Close Read Write
io.ReadWriteSeeker Read Seek Write
io.ReadWriter Read Write
io.Reader Read
io.ReaderAt ReadAt
io.ReaderFrom ReadFrom
io.RuneReader ReadRune
io.RuneScanner ReadRune UnreadRune
io.SectionReader Read ReadAt Seek Size
io.Seeker Seek
io.StringWriter WriteString
io.WriteCloser Close Write
io.WriteSeeker Seek Write
io.Writer Write
io.WriterAt WriteAt
io.WriterTo WriteTo
json.Decoder Buffered Decode DisallowUnknownFields InputOffset More Token UseNumber
json.Encoder Encode SetEscapeHTML SetIndent
json.Marshaler MarshalJSON
json.Number Float64 Int64 String
json.RawMessage MarshalJSON UnmarshalJSON
json.Unmarshaler UnmarshalJSON
list.List Back Front Init InsertAfter InsertBefore Len MoveAfter MoveBefore MoveToBack MoveToFront PushBack PushBackList PushFront PushFrontList Remove
log.Logger Fatal Fatalf Fatalln Flags Output Panic Panicf Panicln Prefix Print Printf Println SetFlags SetOutput SetPrefix Writer
multipart.File Close Read ReadAt Seek
multipart.Reader NextPart NextRawPart ReadForm
multipart.Writer Boundary Close CreateFormField CreateFormFile CreatePart FormDataContentType SetBoundary WriteField
net.Addr Network String
net.Conn Close LocalAddr Read RemoteAddr SetDeadline SetReadDeadline SetWriteDeadline Write
net.Dialer Dial DialContext
net.Error Error Temporary Timeout
net.IP DefaultMask Equal IsGlobalUnicast IsInterfaceLocalMulticast IsLinkLocalMulticast IsLinkLocalUnicast IsLoopback IsMulticast IsPrivate IsUnspecified MarshalText Mask String To16 To4 UnmarshalText
net.IPNet Contains Network String
net.Listener Accept Addr Close
net.PacketConn Close LocalAddr ReadFrom SetDeadline SetReadDeadline SetWriteDeadline WriteTo
net.Resolver LookupAddr LookupCNAME LookupHost LookupIP LookupIPAddr LookupMX LookupNS LookupNetIP LookupPort LookupSRV LookupTXT
net.TCPConn Close CloseRead CloseWrite File LocalAddr Read ReadFrom RemoteAddr SetDeadline SetKeepAlive SetKeepAlivePeriod SetLinger SetNoDelay SetReadBuffer SetReadDeadline SetWriteBuffer SetWriteDeadline SyscallConn Write
net.TCPListener Accept AcceptTCP Addr Close File SetDeadline SyscallConn
net.UDPConn Close File LocalAddr Read ReadFrom ReadFromUDP ReadFromUDPAddrPort ReadMsgUDP ReadMsgUDPAddrPort RemoteAddr SetDeadline SetReadBuffer SetReadDeadline SetWriteBuffer SetWriteDeadline SyscallConn Write WriteMsgUDP WriteMsgUDPAddrPort WriteTo WriteToUDP WriteToUDPAddrPort
net.UnixConn Close CloseRead CloseWrite File LocalAddr Read ReadFrom ReadFromUnix ReadMsgUnix RemoteAddr SetDeadline SetReadBuffer SetReadDeadline SetWriteBuffer SetWriteDeadline SyscallConn Write WriteMsgUnix WriteTo WriteToUnix
os.DirEntry Info IsDir Name Type
os.File Chdir Chmod Chown Close Fd Name Read ReadAt ReadDir ReadFrom Readdir Readdirnames Seek SetDeadline SetReadDeadline SetWriteDeadline Stat Sync SyscallConn Truncate Write WriteAt WriteString
os.FileInfo IsDir ModTime Mode Name Size Sys
os.FileMode IsDir IsRegular Perm String Type
os.PathError Error Timeout Unwrap
os.Process Kill Release Signal Wait
os.Signal Signal String
plugin.Plugin Lookup
rand.Rand ExpFloat64 Float32 Float64 Int Int31 Int31n Int63 Int63n Intn NormFloat64 Perm Read Seed Shuffle Uint32 Uint64
rand.Source Int63 Seed
reflect.Type Align AssignableTo Bits ChanDir Comparable ConvertibleTo Elem Field FieldAlign FieldByIndex FieldByName FieldByNameFunc Implements In IsVariadic Key Kind Len Method MethodByName Name NumField NumIn NumMethod NumOut Out PkgPath Size String
reflect.Value Addr Bool Bytes Call CallSlice CanAddr CanComplex CanConvert CanFloat CanInt CanInterface CanSet CanUint Cap Close Complex Convert Elem Field FieldByIndex FieldByIndexErr FieldByName FieldByNameFunc Float Index Int Interface InterfaceData IsNil IsValid IsZero Kind Len MapIndex MapKeys MapRange Method MethodByName NumField NumMethod OverflowComplex OverflowFloat OverflowInt OverflowUint Pointer Recv Send Set SetBool SetBytes SetCap SetComplex SetFloat SetInt SetIterKey SetIterValue SetLen SetMapIndex SetPointer SetString SetUint Slice Slice3 String TryRecv TrySend Type Uint UnsafeAddr UnsafePointer
regexp.Regexp Copy Expand ExpandString Find FindAll FindAllIndex FindAllString FindAllStringIndex FindAllStringSubmatch FindAllStringSubmatchIndex FindAllSubmatch FindAllSubmatchIndex FindIndex FindReaderIndex FindReaderSubmatchIndex FindString FindStringIndex FindStringSubmatch FindStringSubmatchIndex FindSubmatch FindSubmatchIndex LiteralPrefix Longest Match MatchReader MatchString NumSubexp ReplaceAll ReplaceAllFunc ReplaceAllLiteral ReplaceAllLiteralString ReplaceAllString ReplaceAllStringFunc Split String SubexpIndex SubexpNames
ring.Ring Do Len Link Move Next Prev Unlink
rpc.Client Call Close Go
runtime.Error Error RuntimeError
scanner.Position IsValid String
scanner.Scanner Init IsValid Next Peek Pos Scan String TokenText
slog.Handler Enabled Handle WithAttrs WithGroup
slog.Logger Debug DebugContext Enabled Error ErrorContext Handler Info InfoContext Log LogAttrs Warn WarnContext With WithGroup
sort.Interface Len Less Swap
sql.Conn BeginTx Close ExecContext PingContext PrepareContext QueryContext QueryRowContext Raw
sql.DB Begin BeginTx Close Conn Driver Exec ExecContext Ping PingContext Prepare PrepareContext Query QueryContext QueryRow QueryRowContext SetConnMaxIdleTime SetConnMaxLifetime SetMaxIdleConns SetMaxOpenConns Stats
sql.NullInt64 Scan Value
sql.NullString Scan Value
sql.NullTime Scan Value
sql.Row Err Scan
sql.Rows Close ColumnTypes Columns Err Next NextResultSet Scan
sql.Scanner Scan
sql.Stmt Close Exec ExecContext Query QueryContext QueryRow QueryRowContext
sql.Tx Commit Exec ExecContext Prepare PrepareContext Query QueryContext QueryRow QueryRowContext Rollback Stmt StmtContext
strings.Builder Cap Grow Len Reset String Write WriteByte WriteRune WriteString
strings.Reader Len Read ReadAt ReadByte ReadRune Reset Seek Size UnreadByte UnreadRune WriteTo
sync.Cond Broadcast Signal Wait
sync.Locker Lock Unlock
sync.Map Clear CompareAndDelete CompareAndSwap Delete Load LoadAndDelete LoadOrStore Range Store Swap
sync.Mutex Lock TryLock Unlock
sync.Once Do
sync.Pool Get Put
sync.RWMutex Lock RLock RLocker RUnlock TryLock TryRLock Unlock
sync.WaitGroup Add Done Go Wait
tabwriter.Writer Flush Init Write
tar.Header FileInfo
tar.Reader Next Read
tar.Writer Close Flush Write WriteHeader
template.Template AddParseTree Clone DefinedTemplates Delims Execute ExecuteTemplate Funcs Lookup Name New Option Parse ParseFS ParseFiles ParseGlob Templates
testing.B Attr Chdir Cleanup Context Elapsed Error Errorf Fail FailNow Failed Fatal Fatalf Helper Log Logf Loop Name Output ReportAllocs ReportMetric ResetTimer Run RunParallel SetBytes SetParallelism Setenv Skip SkipNow Skipf Skipped StartTimer StopTimer TempDir
testing.F Add Attr Chdir Cleanup Context Error Errorf Fail FailNow Failed Fatal Fatalf Fuzz Helper Log Logf Name Output Setenv Skip SkipNow Skipf Skipped TempDir
testing.M Run
testing.T ArtifactDir Attr Chdir Cleanup Context Deadline Error Errorf Fail FailNow Failed Fatal Fatalf Helper Log Logf Name Output Parallel Run Setenv Skip SkipNow Skipf Skipped TempDir
testing.TB Attr Chdir Cleanup Context Error Errorf Fail FailNow Failed Fatal Fatalf Helper Log Logf Name Output Setenv Skip SkipNow Skipf Skipped TempDir
textproto.Conn Close Cmd DotReader DotWriter EndRequest EndResponse Next PrintfLine ReadCodeLine ReadContinuedLine ReadContinuedLineBytes ReadDotBytes ReadDotLines ReadLine ReadLineBytes ReadMIMEHeader ReadResponse StartRequest StartResponse
textproto.Reader DotReader ReadCodeLine ReadContinuedLine ReadContinuedLineBytes ReadDotBytes ReadDotLines ReadLine ReadLineBytes ReadMIMEHeader ReadResponse
time.Duration Abs Hours Microseconds Milliseconds Minutes Nanoseconds Round Seconds String Truncate
time.Location String
time.Ticker Reset Stop
time.Time Add AddDate After AppendFormat Before Clock Compare Date Day Equal Format GoString GobDecode GobEncode Hour ISOWeek In IsDST IsZero Local Location MarshalBinary MarshalJSON MarshalText Minute Month Nanosecond Round Second String Sub Truncate UTC Unix UnixMicro UnixMilli UnixNano UnmarshalBinary UnmarshalJSON UnmarshalText Weekday Year YearDay Zone ZoneBounds
time.Timer Reset Stop
tls.Config BuildNameToCertificate Clone SetSessionTicketKeys
tls.Conn Close CloseWrite ConnectionState Handshake HandshakeContext LocalAddr NetConn OCSPResponse Read RemoteAddr SetDeadline SetReadDeadline SetWriteDeadline VerifyHostname Write
token.FileSet AddFile Base File Iterate Position PositionFor Read Write
token.Pos IsValid
token.Position IsValid String
types.Object Exported Id Name Parent Pkg Pos String Type
types.Package Complete Imports MarkComplete Name Path Scope SetImports SetName String
types.Type String Underlying
url.URL AppendText EscapedFragment EscapedPath Hostname IsAbs JoinPath MarshalBinary Parse Port Query Redacted RequestURI ResolveReference String UnmarshalBinary
url.Values Add Del Encode Get Has Set
x509.Certificate CheckCRLSignature CheckSignature CheckSignatureFrom CreateCRL Equal Verify VerifyHostname
xml.Decoder Decode DecodeElement InputOffset InputPos RawToken Skip Token
xml.Encoder Encode EncodeElement EncodeToken Flush Indent
xml.Name
zip.File DataOffset FileInfo ModTime Mode Open OpenRaw SetModTime SetMode
zip.FileHeader FileInfo ModTime Mode SetModTime SetMode
zip.Reader Open RegisterDecompressor
zip.Writer Close Copy Create CreateHeader CreateRaw Flush RegisterCompressor SetComment SetOffset
`;

/** By `package.Type`; none for a type that has no methods. */
export const knownMethods: ReadonlyMap<string, readonly string[]> = new Map(
  table
    .trim()
    .split("\n")
    .map((line) => {
      const [type = "", ...methods] = line.split(" ");
      return [type, methods];
    }),
);

/** Those of them that are interfaces. */
export const knownInterfaces: ReadonlySet<string> = new Set(
  "ast.Node ast.Visitor binary.ByteOrder cipher.AEAD cipher.Block cipher.Stream color.Color context.Context crypto.Signer driver.Valuer encoding.BinaryMarshaler encoding.BinaryUnmarshaler encoding.TextMarshaler encoding.TextUnmarshaler error expvar.Var flag.Value fmt.Formatter fmt.State fmt.Stringer fs.DirEntry fs.FS fs.File fs.FileInfo fs.GlobFS fs.ReadDirFS fs.ReadDirFile fs.ReadFileFS fs.StatFS fs.SubFS gob.GobDecoder gob.GobEncoder hash.Hash hash.Hash32 hash.Hash64 heap.Interface http.CookieJar http.File http.FileSystem http.Flusher http.Handler http.Hijacker http.Pusher http.ResponseWriter http.RoundTripper image.Image io.ByteReader io.ByteScanner io.ByteWriter io.Closer io.ReadCloser io.ReadSeekCloser io.ReadSeeker io.ReadWriteCloser io.ReadWriteSeeker io.ReadWriter io.Reader io.ReaderAt io.ReaderFrom io.RuneReader io.RuneScanner io.Seeker io.StringWriter io.WriteCloser io.WriteSeeker io.Writer io.WriterAt io.WriterTo json.Marshaler json.Unmarshaler multipart.File net.Addr net.Conn net.Error net.Listener net.PacketConn os.DirEntry os.FileInfo os.Signal rand.Source reflect.Type runtime.Error slog.Handler sort.Interface sql.Scanner sync.Locker testing.TB types.Object types.Type".split(
    " ",
  ),
);
